"""What stands beside a name in the order."""

import pytest

from systems.commands.preview import preview
from systems.contract.display import Mark
from systems.frozen import evolve
from systems.visibility.card import card, condition_lines
from systems.visibility.rows import RowCache, band, row_maker
from tests.systems.fight import Fight
from tests.systems.toy import TOY, toy


def beside(fight: Fight, who: str) -> list[str]:
    """The words in the row of a combatant."""
    row = row_maker(fight.encounter).row(fight.encounter.combatants[who])
    return [word.text for word in row.words]


def test_that_a_turn_is_over_is_said_while_that_turn_lasts():
    fight = Fight("arden", "add okado", "add guard")
    fight.do("start")
    first = fight.turn
    fight.do(f"set {first} turn_over yes")
    assert "turn over" in beside(fight, first)
    fight.do("next")
    assert fight.sheet(first).turn_over
    assert "turn over" not in beside(fight, first)


def test_the_dead_need_neither_banes_nor_boons_but_what_ends_or_was_written_down_stands():
    fight = Fight("atomic_d20", "add okado", "add guard")
    fight.do("start")
    for condition in ("boon", "bane", "flat_footed 2", '"to be buried"'):
        fight.do(f"condition guard {condition}")
    fight.do("set guard wound_banes 2")
    assert {"boon", "bane", "bane −2"} & set(beside(fight, "guard"))
    fight.do("set guard status dead")
    assert beside(fight, "guard") == ["flat-footed 2r", "to be buried"]
    assert len(list(condition_lines(fight.encounter, fight.encounter.combatants["guard"].conditions))) == 4


def test_the_odds_of_a_blow_do_not_name_each_place_of_a_wound():
    fight = Fight("atomic_d20", "add okado", "add guard")
    fight.do("start")
    attack = fight.game.action("attack")
    effects = preview(fight.encounter, attack, "okado", "guard", attack.options()).effects
    assert not [text for text, _ in effects if text.startswith("wounded")]
    assert any(text.startswith("bane") for text, _ in effects)


def test_the_odds_do_not_name_a_boon_that_is_spent_on_the_very_roll():
    fight = Fight("atomic_d20", "add okado", "add guard", "start", "condition okado boon")
    attack = fight.game.action("attack")
    effects = preview(fight.encounter, attack, "okado", "guard", attack.options(use_boon=True)).effects
    assert not [text for text, _ in effects if "boon" in text]
    assert effects


@pytest.mark.parametrize(
    ("line", "row", "status", "others"),
    [
        ("condition guard stunned for 3 rounds", ["stunned 3r"], "stunned, 3 rounds", []),
        ("condition guard stunned", ["stunned"], "stunned", []),
        ("condition guard prone for 2 rounds", ["prone 2r"], "up", ["prone"]),
    ],
)
def test_a_condition_that_is_also_the_status_is_shown_once(line, row, status, others):
    fight = Fight("simple", "add okado", "add guard", "start", line)
    guard = fight.encounter.combatants["guard"]
    words = [word.text for word in row_maker(fight.encounter).row(guard).words]
    assert [word for word in words if word.split()[0] in ("stunned", "prone")] == row
    seen = card(fight.encounter, guard)
    assert (seen.status.text, [held.label for held in seen.conditions]) == (status, others)
    assert "stunned" not in dict(seen.fields)


def test_rows_are_made_again_only_for_what_has_changed():
    fight = toy("add ada", "add bo", "add orc", "start", "condition orc sharp for 2 rounds")
    cache = RowCache()
    before = cache.rows(fight.encounter)
    fight.do("damage bo 3")
    after = cache.rows(fight.encounter)
    assert [old is new for old, new in zip(before, after, strict=True)] == [True, False, True]
    assert after == RowCache().rows(fight.encounter)
    for line in ("next", "next", "next"):
        fight.do(line)
        assert cache.rows(fight.encounter) == RowCache().rows(fight.encounter)


def test_the_words_in_a_row_say_how_long_they_matter():
    def glance(sheet, house):
        return (Mark("braced", "muted"), Mark("tall"), Mark("burning", "danger"))

    fight = toy("add ada", "add orc", "start", "ready ada strike", "condition ada sharp")
    fight.encounter = evolve(fight.encounter, game=evolve(TOY, glance=glance))
    row = row_maker(fight.encounter).row(fight.encounter.combatants["ada"])
    assert [(word.text, word.weight) for word in row.words] == [
        ("ready: strike", "condition"),
        ("burning", "condition"),
        ("sharp", "condition"),
        ("braced", "turn"),
        ("tall", "lasting"),
    ]


def test_a_hidden_combatant_is_marked_in_the_quiet_tone_of_conditions():
    fight = toy("add ada", "add orc hidden", "start")
    row = row_maker(fight.encounter).row(fight.encounter.combatants["orc_h1"])
    assert [(word.text, word.tone) for word in row.words] == [("(hidden)", "condition")]


def test_the_band_of_health_follows_the_first_meter():
    fight = Fight("atlantis", "add guard")
    found = {}
    for life in (45, 44, 23, 22, 0):
        fight.do(f"set guard life {life}")
        found[life] = band(fight.encounter.combatants["guard"], fight.encounter).text
    assert found == {45: "fresh", 44: "hurt", 23: "hurt", 22: "badly hurt", 0: "down"}


def test_a_status_that_the_bar_shows_as_well_gives_way_to_conditions():
    fight = Fight("srd5", "add okado", "add guard", "start", "damage okado 16", "condition okado prone")
    words = row_maker(fight.encounter).row(fight.encounter.combatants["okado"]).words
    assert [word.text for word in words if not word.column] == ["prone", "bloodied"]
