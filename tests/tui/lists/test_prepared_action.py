"""What a line and the options of an action mean: whom it is aimed at, and the command that comes of it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from systems.commands.table import read_command
from systems.encounter.lookup import targets
from systems.encounter.model import Encounter
from systems.errors import Refused
from tests.tui.lists.archer import BOW, with_archer
from tests.tui.opened import opened
from tui.lists import prepared_action
from tui.lists.action_answers import refusal_of
from tui.lists.given_options import TargetLine, read_line
from tui.lists.prepared_action import PreparedAction
from tui.lists.target_list import Asked
from tui.session.session import Session


def prepared(here: Session, text: str = "", actor: str = "tamsin") -> PreparedAction:
    """The attack as it stands once a text was typed."""
    action = here.game.action("attack")
    assert action is not None
    found = PreparedAction(here, action, here.encounter.combatants[actor])
    found.take(Asked(line=text))
    return found


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("", "attack guard-1 by tamsin"),
        ("4", "attack guard-2 by tamsin"),
        ("4 ", "attack guard-2 by tamsin"),
        ("4 c=h di=40", "attack guard-2 distance=40 coverage=half by tamsin"),
        (" c=h", "attack guard-1 coverage=half by tamsin"),
        ("c=h", "attack guard-1 coverage=half by tamsin"),
        ("4 w=d", "attack guard-2 weapon=dagger by tamsin"),
        ('4 w="short b" mo=-5', 'attack guard-2 weapon="short bow" modifier=-5 by tamsin'),
        ("guard 2 c=p", "attack guard-2 coverage=part by tamsin"),
        ("rai", "attack raider-captain by tamsin"),
        ("3,4 c=h", "attack guard-1,guard-2 coverage=half by tamsin"),
        ("3, 4 c=h", "attack guard-1,guard-2 coverage=half by tamsin"),
        ("4 dice=17", "attack guard-2 dice=17 by tamsin"),
    ],
)
def test_a_typed_line_becomes_this_command(text: str, command: str) -> None:
    assert prepared(with_archer(), text).command().line == command


@pytest.mark.parametrize(
    "text",
    ["", "4 c=h di=40", '4 w="short b" mo=-5', '3,4 w="long sword" c=h', "4 dice=17,=9", "4 by 1,3"],
)
def test_the_command_handed_over_is_the_one_that_its_line_means(text: str) -> None:
    here = with_archer()
    command = prepared(here, text).command()
    assert command == read_command(here.encounter, command.line)


def test_remembered_options_belong_to_actor_and_target_and_typed_ones_come_first() -> None:
    here = with_archer(f"attack {BOW.replace('c=', 'coverage=').replace('di=', 'distance=')} by tamsin")
    assert prepared(here, "3").command().line == "attack guard-1 by tamsin"
    assert prepared(here, "4").command().line == "attack guard-2 distance=40 coverage=half by tamsin"
    assert prepared(here, "4 c=n").command().line == "attack guard-2 distance=40 coverage=none by tamsin"
    assert prepared(here, "3,4").command().line == "attack guard-1,guard-2 by tamsin"


def test_remembered_options_that_cannot_matter_are_left_out() -> None:
    here = with_archer("attack 4 distance=40 by tamsin", "next", "next")
    struck_back = prepared(here, "2", "guard-2")
    assert struck_back.command().line == "attack tamsin by guard-2"
    assert "distance" not in [field.name for field in struck_back.options.listed()]


def test_only_options_that_can_matter_are_asked_remembered_ones_first() -> None:
    here = with_archer()
    bow = [field.name for field in prepared(here).options.listed()]
    dagger = [field.name for field in prepared(here, " w=d").options.listed()]
    assert bow[:3] == ["weapon", "distance", "coverage"]
    assert "distance" not in dagger
    assert "defence_trait" not in bow


def test_tab_completes_a_begun_option_and_its_value() -> None:
    typed = prepared(with_archer(), "4 co")
    assert typed.complete()
    assert typed.text == "4 coverage="
    typed.take(Asked(line="4 coverage=se"))
    assert typed.complete()
    assert typed.text == "4 coverage=sensible "
    assert not typed.complete()
    twice = prepared(with_archer(), "4 c=c")
    assert not twice.complete()


def test_the_last_target_comes_first_and_friends_follow_a_rule() -> None:
    here = with_archer("attack raider-captain dice=2 by tamsin")
    found = prepared(here)
    ids = [target.id for target in found.possible if target]
    assert ids == ["raider-captain", "guard-1", "guard-2", "okado"]
    assert (found.targets.rule, found.targets.usual) == ("friends", 3)
    assert found.subject == "raider-captain"


def test_the_cursor_begins_on_a_target_that_the_rules_allow() -> None:
    here = with_archer()
    action = here.game.action("coup_de_grace")
    assert action is not None
    here.do("damage guard-2 60")
    found = PreparedAction(here, action, here.encounter.combatants["tamsin"])
    foes = ["guard-1", "guard-2", "raider-captain"]
    assert [who for who in foes if not found.refusal(who)] == ["guard-2"]
    assert found.subject == "guard-2"


def test_a_question_with_the_same_meaning_as_the_last_one_is_not_read_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = prepared(with_archer(), "4 c=h")
    read: list[str] = []

    def read_line(encounter: Encounter, text: str, is_value: Callable[[str], bool]) -> TargetLine:
        read.append(text)
        return TargetLine()

    monkeypatch.setattr(prepared_action, "read_line", read_line)
    found.take(Asked(line="4 c=h"))
    found.take(Asked(line="4 c=h", marked="guard-2", named="4", step="enter", height=9))
    assert found.command().line == "attack guard-2 coverage=half by tamsin"
    found.take(Asked(line="4 c=p"))
    assert read == ["4 c=p"]


def test_the_first_words_name_the_targets() -> None:
    here = with_archer().encounter
    for text, expected in (
        ("4 c=h", "4"),
        ("guard 2", "guard 2"),
        ("3, 4 c", "3, 4"),
        (" c=h", ""),
        ('"guard 2" x', "guard 2"),
    ):
        assert read_line(here, text, lambda word: False).targets == expected
    with pytest.raises(Refused):
        targets(here, "guard")


FOES = ("guard-1", "guard-2", "raider-captain")


def test_the_mark_stays_on_the_first_foe_once_all_have_fallen() -> None:
    here = with_archer(*(f"damage {foe} 46" for foe in FOES))
    assert prepared(here).command().line == "attack raider-captain by tamsin"


def test_enter_alone_attacks_no_friend_if_no_foe_is_left() -> None:
    here = with_archer(*(f"damage {foe} 200" for foe in FOES))
    found = prepared(here)
    assert found.subject == ""
    with pytest.raises(Refused, match="there is no foe to aim at: choose or type a target"):
        found.command()
    assert prepared(here, "okado").command().line == "attack okado by tamsin"
    found.move(1)
    assert found.command().line == "attack okado by tamsin"


def test_a_foe_that_the_rules_refuse_keeps_the_mark_from_a_friend(monkeypatch: pytest.MonkeyPatch) -> None:
    here = with_archer()
    refuse = lambda action, actor, target, options: "" if target == "okado" else "out of reach"  # noqa: E731
    monkeypatch.setattr(here, "refusal", refuse)
    found = prepared(here)
    assert here.encounter.combatants[found.subject].side == "foes"
    found.move(1)
    assert found.subject == "okado"


def _arden_check(tmp_path: Path, actor: str, *lines: str) -> PreparedAction:
    here = opened(tmp_path, None, "the-toll-road").table.session
    assert here is not None
    for line in lines:
        here.do(line)
    action = here.game.action("check")
    assert action is not None
    return PreparedAction(here, action, here.encounter.combatants[actor], {"ability": "agility", "dc": "12"})


def test_a_check_out_of_turn_is_filled_in_as_such(tmp_path: Path) -> None:
    ilsa = _arden_check(tmp_path, "ilsa", "start ilsa 30", "next")
    assert ilsa.command().line == "check ability=agility dc=12 encounter=no by ilsa"
    assert not any(ilsa.refusal(target.id if target else "") for target in ilsa.possible)
    assert "encounter" in [field.name for field in ilsa.options.listed()]


def test_an_attack_out_of_turn_is_filled_in_as_a_reaction(tmp_path: Path) -> None:
    here = opened(tmp_path, None, "rooftop-watch").table.session
    assert here is not None
    for line in ("start", "attack 3 by mara", "next", "next"):
        here.do(line)
    action, mara = here.game.action("attack"), here.encounter.combatants["mara"]
    assert action is not None
    assert refusal_of(here, mara, action) == ""
    assert PreparedAction(here, action, mara).command().line.endswith("reaction=yes by mara")


def test_a_check_on_ones_own_turn_has_its_cost_unless_others_make_it_too(tmp_path: Path) -> None:
    ilsa = _arden_check(tmp_path, "ilsa", "start ilsa 30")
    assert ilsa.command().line == "check ability=agility dc=12 by ilsa"
    ilsa.take(Asked(chosen=(("ability", "agility"), ("dc", "12")), doers="ilsa,bram"))
    assert ilsa.command().line == "check ability=agility dc=12 encounter=no by ilsa,bram"
