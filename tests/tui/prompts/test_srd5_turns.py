"""Turns of SRD 5.2 at the table, with the keys that they take."""

import re

from systems.sheets import read_sheet
from tests.systems.fight import Entry, Fight
from tests.tui.pilot import Pilot
from tests.tui.table import Shelf, playing, session_of
from tui.session.session import Session

CLERIC = {
    "name": "Elin",
    "side": "players",
    "ac": 16,
    "max_hp": 33,
    "level": 5,
    "powers": [
        {"name": "mending light", "healing": "2d8+4", "slot": 1},
        {
            "name": "fire burst",
            "save": "dexterity",
            "dc": 15,
            "damage": ["8d6 fire"],
            "half": True,
            "slot": 3,
        },
        {"name": "burning sigil", "save": "dexterity", "dc": 15, "damage": ["1d8 radiant"]},
    ],
    "spell_slots": [
        {"name": "level 1", "level": 1, "total": 4, "left": 3},
        {"name": "level 3", "level": 3, "total": 2},
    ],
}
FIGHTER = {
    "name": "Mira",
    "ac": 18,
    "max_hp": 44,
    "level": 5,
    "attacks": [{"name": "longsword", "to_hit": 7, "damage": ["1d8+4 slashing"]}],
    "multiattack": [{"name": "longsword", "times": 3}],
}
OGRE = {
    "name": "Ogre",
    "ac": 11,
    "max_hp": 68,
    "dies_at_zero": True,
    "attacks": [{"name": "club", "to_hit": 6, "damage": ["2d8+4 bludgeoning"]}],
}
TYRANT = {
    **OGRE,
    "name": "Tyrant",
    "max_hp": 200,
    "legendary_resistances": 3,
    "powers": [{"name": "breath", "save": "dexterity", "dc": 13, "damage": ["4d6 fire"], "recharge": 5}],
}


def vault(*lines: str, turn: str = "elin", ogres: int = 5) -> Session:
    """Elin and Mira against a tyrant and its ogres; the turn is that of `turn`."""
    fight = Fight("srd5")
    people = {"elin": CLERIC, "mira": FIGHTER, "ogre": OGRE, "tyrant": TYRANT}
    for who, sheet in people.items():
        side = "players" if who in ("elin", "mira") else "foes"
        plain = {name: value for name, value in sheet.items() if name != "side"}
        fight.roster = {**fight.roster, who: Entry(sheet["name"], side, read_sheet(fight.game, plain, ""))}
    order = ["elin", "mira", "tyrant", *["ogre"] * ogres]
    for line in ("add elin", "add mira", "add tyrant", f"add ogre x{ogres}"):
        fight.do(line)
    fight.do(f"start dice={','.join('20' if who == turn else '1' for who in order)}")
    for line in lines:
        fight.do(line)
    here = session_of(fight.game, fight.house, None, fight.roster, fight.opening, [], Shelf())
    here.encounter, here.log = fight.encounter, fight.log
    return here


async def typed(play: Pilot, keys: str, most: int) -> None:
    """Press keys, which may not be more than `most`."""
    assert len(re.findall(r"<[^>]+>|.", keys)) <= most
    await play.press(keys)


async def test_three_attacks_are_split_over_two_targets_in_one_prompt() -> None:
    async with playing(vault(turn="mira")) as play:
        await typed(play, "m2*2,3<Enter>", 7)
        assert play.last.action == "multiattack"
        assert [result.facts["attacks"] for result in play.last.results] == [2, 1]
        assert play.last.text.count("against 11") == 3


async def test_a_spell_at_six_asks_for_the_legendary_resistance_of_the_one_that_failed() -> None:
    async with playing(vault("set tyrant dexterity 1")) as play:
        play.session.streams.named = lambda name: Ones()
        await typed(play, "p1-6 fir<Enter>", 9)
        assert "Tyrant fails the Dexterity save. Legendary resistance, 3 left?" in play.text
        await typed(play, "2", 1)
        assert play.last.text.count("with a legendary resistance") == 1
        assert play.session.encounter.combatants["tyrant"].sheet.legendary_resistances_left == 2
        assert len(play.last.results) == 6


class Ones:
    """Random numbers that are always the lowest."""

    def randint(self, low: int, high: int) -> int:
        return low


async def test_the_prompt_of_a_caster_lists_what_is_left_and_puts_friends_first_for_healing() -> None:
    async with playing(vault("damage mira 20")) as play:
        await play.press("p")
        assert "mending light (heals 2d8+4, level 1: 3 of 4 slots left)" in play.text
        assert play.text.rindex("Mira ") < play.text.index("others") < play.text.rindex("Ogre")
        await play.press("<Tab>")
        assert re.search(r"fire burst +level 3: 2 of 2 slots left", play.text)
        rows = play.text[: play.text.rindex(" target ")]
        by_slot = ["burning sigil", "mending light", "fire burst"]
        assert sorted(by_slot, key=rows.rindex) == by_slot
        await typed(play, "<Down><Enter>", 2)
        assert play.text.rindex("Tyrant") < play.text.index("friends") < play.text.rindex("Mira ")
        await typed(play, "3<Enter>", 2)
        assert play.last.options["power"] == "fire burst"
        assert play.session.encounter.combatants["elin"].sheet.spell_slots[1].left == 1


async def test_an_opportunity_attack_takes_four_keys_and_says_nothing_until_it_is_made() -> None:
    async with playing(vault("near mira 2", turn="mira")) as play:
        await typed(play, "b<Enter>", 2)
        assert play.last.text == "Mira is no longer near Ogre 2."
        assert "Ogre 2: an opportunity attack on Mira? (attack on Mira, weapon club" in play.text
        await typed(play, "<Enter>", 1)
        assert (play.last.action, play.last.actor) == ("attack", "ogre-2")
        assert play.session.encounter.combatants["ogre-2"].sheet.reaction_used


async def test_n_asks_for_the_real_die_of_a_recharge_and_tells_it() -> None:
    here = vault("power mira power=breath by tyrant dice=20,1,1,1,1", turn="mira")
    here.dice = "real"
    async with playing(here) as play:
        while "recharge of breath" not in play.text:
            await play.press("n")
        await typed(play, "6<Enter>", 2)
        assert "Tyrant recharges breath. 6 against 5." in play.last.text
