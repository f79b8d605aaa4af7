"""A third-party game with inconsistent declarations is named in one sentence."""

import pytest

from systems import NoSuchGame
from systems.contract.action import SideEffect
from systems.contract.condition import Effect
from systems.contract.display import Mark, Meter, StatusWord
from systems.contract.reaction import Reaction
from systems.contract.ruleset import AmountAction, Rest
from systems.contract.sheet import NoHouse, Section, Templates
from systems.frozen import evolve
from systems.plugins.declarations import problem
from systems.schema.fields import Entry, Record, declare, declare_field, entries, flag, listing, text, whole
from systems.schema.types import Flag, ListOf, Whole
from tests.systems.gutterlight import ACTIONS, RULESET, Sheet
from tests.systems.plugins.outsider import brought, changed, fails, made, with_condition


@declare
class Needy(Sheet):
    rank: int = whole(1, 9)


@declare
class Askew(Sheet):
    rank: int = whole(1, 9, 0)


@declare
class Loose(Sheet):
    rank: int = 3


@declare
class Kindly(Sheet):
    kind: bool = flag()


@declare
class Copying(Sheet):
    rank: int = whole(1, 9, same_as="grade")


@declare
class Hasty(Sheet):
    rank: int = whole(1, 9, same_as="grade")
    grade: int = whole(1, 9, 1)


@declare
class Renamed(Sheet):
    rank: int = whole(1, 9, 1, formerly="grade")
    order: int = whole(1, 9, 1, formerly=("class", "grade"))


@declare
class Noted(Sheet):
    notes: int = whole(1, 9, 1)


@declare
class Nameless:
    harm: int = whole(1, 9, 1)


@declare
class Armed(Sheet):
    hands: tuple[Nameless, ...] = entries(Nameless)


@declare
class Dicey:
    dice: int = whole(0, 9, 0)


@declare
class Marked:
    style: str | None = text(None, one_off=True, remembered="aimed")


@declare
class Lavish:
    price: int = whole(0, 9, one_off=True)


@declare
class Flags:
    signs: tuple[bool, ...] = listing(Flag())
    light: bool = flag()
    amount: int = whole(0, 9)
    more: int = whole(0, 9)


def reacts(**parts):
    return made(
        reactions=(Reaction(**{"name": "flinch", "help": "", "after": "attack", "offers": fails, **parts}),)
    )


SLIPS = {
    "title": (made(title=""), "its title is an empty text"),
    "policy": (made(policy="../policy"), 'its policy is in "../policy", which is not the name of a module'),
    "sheet": (made(sheet=dict), "not a subclass of systems.contract.sheet.Sheet"),
    "sheet needs": (made(sheet=Needy), "rank has no default"),
    "sheet default": (made(sheet=Askew), "the default of rank: expected a whole number from 1 to 9, got 0"),
    "sheet undeclared": (made(sheet=Loose), "rank is not declared"),
    "sheet reserved": (made(sheet=Kindly), "a field kind, a name that the tracker uses itself"),
    "sheet copies": (made(sheet=Copying), "rank is the same as grade, which does not exist"),
    "sheet copies later": (made(sheet=Hasty), "rank is the same as grade, which is declared after it"),
    "sheet renamed": (made(sheet=Renamed), "grade is the former name of two fields"),
    "sheet base": (made(sheet=Noted), "a field notes, a name that the tracker uses itself"),
    "entries": (made(sheet=Armed), "the entries of hands have no name"),
    "stored status": (made(stored_status=False), "stored_status is not set"),
    "house": (made(house=int), "its house rules is not a class made by systems.schema.fields.declare"),
    "options": (made(actions=changed(brace={"options": dict})), "the options of brace"),
    "option dice": (made(actions=changed(brace={"options": Dicey})), "an option dice"),
    "option remembered": (
        made(actions=changed(brace={"options": Marked})),
        "style is one-off and remembered; a one-off option is left out of a repeat",
    ),
    "option needed": (made(actions=changed(brace={"options": Lavish})), "price is one-off and needed"),
    "rest": (made(rests=(Rest("night", " "),)), "the rest night has no title"),
    "rest step": (
        made(rests=(Rest("night", "a night", steps=(("sleep", {}),)),)),
        'the rest night carries out "sleep", which is not an action',
    ),
    "rest target": (
        made(rests=(Rest("night", "a night", steps=(("attack", {}),)),)),
        "carries out attack, which needs a target",
    ),
    "rest option": (
        made(rests=(Rest("night", "a night", steps=(("brace", {"long": True}),)),)),
        "the rest night carries out brace: long: unknown field",
    ),
    "rest pair": (
        made(rests=(Rest("night", "a night", steps=(("brace",),)),)),
        "the steps of the rest night[0] has 1 parts and not 2",
    ),
    "rest figure": (
        made(rests=(Rest("night", "a night", restores={"wounds": "hp"}),)),
        "the rest night restores hp, which is not a number of the sheet",
    ),
    "actions": (made(actions=[1, 2]), "its actions are not a tuple"),
    "action": (made(actions=(*ACTIONS, 2)), "2 among them, which is not an Action"),
    "action twice": (made(actions=(*ACTIONS, ACTIONS[0])), "the action attack is used twice"),
    "action name": (made(actions=changed(brace={"name": "Brace Up"})), "not lower_snake_case"),
    "action command": (made(actions=changed(brace={"name": "next"})), "the name of a command of the tracker"),
    "run": (made(actions=changed(brace={"run": None})), "brace has nothing to run"),
    "targets": (made(actions=changed(attack={"targets": "several"})), "not one of none, optional, one, many"),
    "kind": (made(actions=changed(attack={"group": "magic"})), 'the group of attack is "magic"'),
    "letter": (made(actions=changed(brace={"letter": "a"})), 'the letter of brace is "a", not one of f, g'),
    "action title": (made(actions=changed(brace={"title": " "})), "the title of brace is"),
    "section": (
        made(sections=(Section("Body", ("wonds",)),)),
        '"wonds", which is not a field; did you mean wounds?',
    ),
    "sections": (
        made(sections=(Section("Body", ("wounds",)), Section("Soul", ("wounds",)))),
        "the field wounds is in two places",
    ),
    "template": (
        made(templates=lambda house: Templates(creature={"hp": 3})),
        "the template of a creature: hp: unknown field",
    ),
    "side effect": (
        made(actions=changed(attack={"side_effects": (SideEffect("hitt", "a hit"),)})),
        "a side effect of attack is hitt, which is not one of its facts",
    ),
    "success": (made(actions=changed(attack={"success": "hitt"})), "hitt, which is not one of its facts"),
    "hook": (made(actions=changed(brace={"group": "hook"})), "nothing calls the hook brace"),
    "hook's kind": (
        made(actions=changed(turn_end={"group": "turn"})),
        'turn_end runs by itself and needs group="hook"',
    ),
    "hook's target": (made(actions=changed(turn_end={"targets": "one"})), "the hook turn_end takes a target"),
    "hook's option": (made(actions=changed(turn_end={"options": Flags})), "turn_end needs the option amount"),
    "no status": (made(actions=changed(status={"name": "state"})), "no action status"),
    "default": (made(default_action="atack"), '"atack", which is not an action; did you mean attack?'),
    "default hook": (made(default_action="turn_end"), "default_action is turn_end, which is a hook"),
    "damage": (made(damage=AmountAction("hram")), 'damage runs "hram", which is not an action'),
    "damage amount": (made(damage=AmountAction("harm", "points")), "no number points among its options"),
    "damage target": (made(damage=AmountAction("attack", "bonus")), "that action takes a target"),
    "heal needs": (made(actions=changed(heal={"options": Flags})), "heal runs heal, which also needs more"),
    "statuses": (made(statuses=()), "no statuses"),
    "status tone": (made(statuses=(StatusWord("up", "rosy"),)), 'the tone of up is "rosy"'),
    "status word": (made(statuses=RULESET.statuses[1:]), 'a status of the sheet is "up"'),
    "status": (made(status=lambda sheet, house: "limping"), 'the status of an untouched sheet is "limping"'),
    "status fails": (made(status=fails), "status fails on an untouched sheet: KeyError"),
    "meter": (made(meters=(Meter("w", "wonds", "max_wounds"),)), "wonds, which is not a number of the sheet"),
    "meter text": (
        made(meters=(Meter("w", "lamp", "max_wounds"),)),
        "lamp, which is not a number of the sheet",
    ),
    "meter style": (
        made(meters=(Meter("w", "wounds", "max_wounds", "pie"),)),
        'style of the meter w is "pie"',
    ),
    "meter symbols": (made(meters=(Meter("w", "wounds", "max_wounds", symbols="x"),)), "needs two symbols"),
    "seat": (made(seat_fields=("hp",)), '"hp", which is not a field of the sheet'),
    "effect action": (
        with_condition(Effect("atack", "bonus")),
        'odd changes "atack", which is not an action',
    ),
    "effect option": (with_condition(Effect("attack", "bonsu")), 'no option "bonsu"; did you mean bonus?'),
    "effect role": (
        with_condition(Effect("attack", "bonus", "ally")),
        'the role in the condition odd is "ally"',
    ),
    "effect number": (with_condition(Effect("attack", "bonus", value=2)), "needs an amount, not a value"),
    "effect flag": (with_condition(Effect("attack", "aimed", amount=2)), "needs a value, not an amount"),
    "effect word": (
        with_condition(Effect("attack", "light", value="fog")),
        'expected one of lamp, dark, got "fog"',
    ),
    "effect unsaid": (with_condition(Effect("attack", "aimed")), "expected true or false, got null"),
    "condition twice": (made(conditions=RULESET.conditions * 2), "the condition wrenched is used twice"),
    "condition field": (with_condition(field="stanse"), "no such field; did you mean stance?"),
    "condition on": (with_condition(field="stance", on="bent", off="open"), 'got "bent"'),
    "condition range": (
        with_condition(field="burning", on=4, off=0),
        "represents burning: expected a whole number",
    ),
    "condition same": (with_condition(field="stance", on="open", off="open"), "on and off are the same"),
    "each turn": (with_condition(each_turn="bleed"), 'each_turn of odd is "bleed", which is not an action'),
    "each turn at": (with_condition(each_turn="riposte"), "the condition odd takes a target"),
    "reaction after": (
        reacts(after="atack"),
        'flinch comes after "atack", which is not an action; did you mean',
    ),
    "reaction name": (reacts(name="Flinch"), "not lower_snake_case"),
    "reaction at a hook": (
        reacts(after="round_start"),
        "flinch comes after round_start, which is a hook",
    ),
    "reaction whose": (reacts(whose="enemies"), "not one of foes, allies, others"),
    "reaction ready": (reacts(ready=3), "reactions[0].ready is 3, not a function"),
    "initiative": (made(initiative=3), "its initiative is 3, not an Initiative"),
    "order": (made(order=lambda house: "clockwise"), 'its order is "clockwise"'),
    "join": (made(join=lambda sheet, is_player: {"hp": 1}), "join sets hp: the sheet has no such field"),
    "join nothing": (made(join=lambda sheet, is_player: None), "join does not return fields by name"),
    "glance": (made(glance=lambda sheet, house: ("hurt",)), "not a Mark"),
    "glance tone": (made(glance=lambda sheet, house: (Mark("hurt", "pink"),)), "the tone of the mark hurt"),
    "brief": (made(brief=lambda sheet, house: "hurt"), "its lines of brief are not a tuple"),
    "figures": (made(figures=fails), "figures fails on an untouched sheet"),
    "anything": (made(statuses=7), "its statuses is 7, not a tuple"),
    "symbols": (
        made(meters=(evolve(RULESET.meters[0], symbols=5),)),
        "its meters[0].symbols is 5, not a tuple",
    ),
    "when": (with_condition(Effect("attack", "bonus", when=3)), "effects[0].when is 3, not a function"),
    "option": (with_condition(Effect("attack", None)), "effects[0].option is null, not a text"),
}


@pytest.mark.parametrize(("game", "says"), SLIPS.values(), ids=SLIPS)
def test_an_inconsistent_game_is_named_in_one_sentence(game, says, monkeypatch):
    with pytest.raises(NoSuchGame) as error:
        brought(monkeypatch, game)
    sentence = str(error.value)
    assert sentence.startswith("the game sixth is broken: ")
    assert says in sentence
    assert sentence.isprintable()


def test_conditions_that_change_every_kind_of_option_are_right():
    every = (
        Effect("attack", "modifiers"),
        Effect("attack", "bonus", amount=-1),
        Effect("attack", "aimed", value=True),
        Effect("attack", "light", value="dark"),
        Effect("attack", "weapon", value="hook"),
    )
    assert problem(with_condition(*every)) == ""

    def listed(**parts):
        return evolve(
            with_condition(Effect("brace", "signs", **parts)), actions=changed(brace={"options": Flags})
        )

    assert problem(listed(value=True)) == ""
    assert "signs of brace: expected true or false, got null" in problem(listed())
    assert "needs a value, not an amount" in problem(listed(amount=1))


def test_a_game_without_meters_house_or_conditions_is_right():
    small = made(meters=(), conditions=(), house=NoHouse, initiative=None, figures=lambda sheet, house: ())
    plain = evolve(small, glance=lambda sheet, house: (), seat_fields=())
    assert problem(plain) == ""


@declare
class Pocket(Entry):
    name: str = text()


@declare
class Bag(Entry):
    name: str = text()
    pockets: tuple[Pocket, ...] = entries(Pocket)


@declare
class Pouch(Entry):
    LINE = ("colour",)
    name: str = text()


@declare
class Lined(Sheet):
    bags: tuple[Pouch, ...] = entries(Pouch)


@declare
class Holding(Sheet):
    bag: Pouch = declare_field(Record(Pouch), None, "")


@declare
class Nested(Sheet):
    bags: tuple[Bag, ...] = entries(Bag)


@declare
class Deep(Sheet):
    rows: tuple[tuple[int, ...], ...] = listing(ListOf(Whole(0, 9)))


@pytest.mark.parametrize(
    ("sheet", "says"),
    [
        (Lined, 'its sheet, bags: LINE has "colour", which is no field'),
        (Holding, "its sheet: bag is a table of fields of its own"),
        (Nested, "its sheet, bags: pockets is a list of entries inside an entry"),
        (Deep, "its sheet: rows holds lists or tables; a list or a table holds single values"),
    ],
)
def test_a_field_nested_too_deep_for_screens_and_commands_is_refused(sheet, says):
    assert problem(made(sheet=sheet)).startswith(says)


def test_of_two_actions_with_one_letter_the_first_has_it_and_every_action_has_a_title_without_underscores():
    game = made(actions=changed(brace={"letter": "g"}, riposte={"letter": "g"}, attack={"title": "Angriff"}))
    assert problem(game) == ""
    assert list(game.letters) == ["g"]
    assert game.letters["g"].name == next(act.name for act in ACTIONS if act.name in ("brace", "riposte"))
    assert game.action("attack").title == "Angriff"
    assert game.action("turn_end").title == "turn end"
