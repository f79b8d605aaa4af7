"""What a game declares; `tui` knows a game by nothing else.

A game is one `Ruleset`: a sheet, actions, house rules, conditions, a turn order, and what to show. An
action is a pure function `run(scene, table) -> Outcome`: it asks the table for dice and choices, changes
nothing, and returns what follows (outcome.py). `systems/README.md` begins with a first game.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeVar, runtime_checkable

from systems.contract.forms import Section, Templates
from systems.contract.marked_text import as_actor
from systems.contract.outcome import Fact, Outcome, Role, Term, Whose, optional_term, owned
from systems.contract.reaction import Again, Interrupt, Reaction
from systems.contract.table import Table
from systems.errors import Wrong
from systems.frozen import Factory, field, frozen
from systems.schema.fields import NoOptions, declare, text
from systems.schema.values import as_words
from systems.text import plain_number, spoken, without_rules

if TYPE_CHECKING:
    from systems.contract.fight import Fight, Read
    from systems.contract.policy import Policy
    from systems.contract.tables import GameTable

S = TypeVar("S", bound="Sheet")
O = TypeVar("O")  # noqa: E741 - the third letter of scene, options, house
H = TypeVar("H")
N = TypeVar("N", bound="_Named")

Tone = Literal["plain", "muted", "good", "notice", "warning", "danger", "accent"]
CONTRACT = 2  # the edition of the contract
PLAYERS, FOES = "players", "foes"
LETTERS = "fgilmpstz"  # letters that a game may give to its actions; all others are keys of the program


class _Named(Protocol):
    @property
    def name(self) -> str: ...


@declare
class Sheet:
    """Base of every game's sheet."""

    name: str | None = text(None, "what it is called")
    notes: str | None = text(None, "anything worth remembering")


@declare
class NoHouse:
    """The house rules of a game that has none."""


@frozen
class AppliedEffect:
    """An amount that a condition added to a numeric option, with the condition's name.

    `of`: the role of the combatant that has the condition.
    """

    option: str
    name: str
    amount: int
    of: Role = "actor"


@frozen
class Other:
    """A combatant that an option names: name and sheet."""

    name: str
    sheet: Any


@frozen(eq=False)
class Scene(Generic[S, O, H]):
    """What an action reads: sheets, options, house rules, and names.

    Two scenes are equal only if they are one object, so that a calculation before the dice can be cached per
    scene (`functools.lru_cache`): odds run one scene thousands of times. For an action without a target,
    `target` is an untouched default sheet; `has_target` says whether a target was named. `before`: of several
    targets, the facts of the previous one; else nothing. `effects`: what conditions have added to the numeric
    options. `others`: the combatants that options name, by option; none for an option that was not given.
    `marked`: the options that name this target among several, such as targets that resist. `unable`: the
    status because of which the actor cannot take this action; "" if it can, and outside a fight. `actor_id`,
    `target_id`: the ids of actor and target in the fight, or "". `look`: returns the fight. `interrupts`:
    the declared ones; use `ready_interruptions` of interrupt.py. `place`: which of several targets this
    one is, from 0; `places`: how many there are; `aimed`: how many aims of the action go to this one at
    once (`Action.together`), `aimed_before`: how many went to the targets before it. `actor_lines`,
    `target_lines`: the effects that conditions of the game give them.
    """

    actor: S
    target: S
    options: O
    house: H
    actor_name: str = "actor"
    target_name: str = "target"
    has_target: bool = False
    before: Mapping[str, Fact] = {}
    effects: tuple[AppliedEffect, ...] = ()
    others: Mapping[str, Other] = {}
    marked: frozenset[str] = frozenset()
    unable: str = ""
    look: "Callable[[], Fight] | None" = None
    actor_id: str = ""
    target_id: str = ""
    interrupts: tuple[Interrupt, ...] = ()
    place: int = 0
    places: int = 1
    aimed: int = 1
    aimed_before: int = 0
    actor_lines: tuple[Any, ...] = ()
    target_lines: tuple[Any, ...] = ()

    @cached_property
    def fight(self) -> "Fight | None":
        """Return the other combatants; None without a fight, and then every condition on others is false."""
        return None if self.look is None else self.look()

    @property
    def reads(self) -> "tuple[Read, ...]":
        """Return all that the action has read about other combatants so far."""
        fight = self.__dict__.get("fight")
        return tuple(fight.reads.items()) if fight else ()

    @property
    def who_acts(self) -> str:
        """Return the actor's name for a sentence, highlighted as the actor."""
        return as_actor(self.actor_name)

    def part_of(self, total: int, option: str = "") -> int:
        """Return this target's part of an amount that is divided among all targets of the command.

        `option`: the name of an option that lists the parts in the order of the targets. Without them the
        parts are even, the first ones larger by one if that does not come out even. Raises Wrong if the
        listed parts don't fit.
        """
        given: tuple[int, ...] = getattr(self.options, option) if option else ()
        place, places = self.place, self.places
        if not given:
            return total // places + (place < total % places)
        if len(given) != places or sum(given) > total:
            found = f"{len(given)} with {plain_number(sum(given))}"
            raise Wrong(
                f"options.{option}",
                f"expected {places} parts of {plain_number(total)} together at most, got {found}",
            )
        return given[place]

    def option_terms(self, option: str, label: str = "") -> tuple[Term, ...]:
        """Return the terms of a numeric option: each condition that changed it by name, then the typed rest.

        The rest is called `label`, or like the option. Terms of 0 are left out.
        """
        named = [effect for effect in self.effects if effect.option == option and effect.amount]
        rest = (getattr(self.options, option) or 0) - sum(effect.amount for effect in named)
        terms = [Term(effect.name.replace("_", " "), effect.amount, of=effect.of) for effect in named]
        return (*terms, *owned("options", *optional_term(label or option.replace("_", " "), rest)))

    def entry_labels(self, option: str, label: str) -> tuple[str, ...]:
        """Return a label for each entry of a list option: `label` if typed, else the condition's name."""
        names = [effect.name.replace("_", " ") for effect in self.effects if effect.option == option]
        return (*(label,) * (len(getattr(self.options, option)) - len(names)), *names)

    def entry_owners(self, option: str) -> tuple[Whose, ...]:
        """Return the owner of each entry of a list option: the role whose condition added it, or options."""
        owners = [effect.of for effect in self.effects if effect.option == option]
        typed: Whose = "options"
        return (*(typed,) * (len(getattr(self.options, option)) - len(owners)), *owners)


@frozen
class Refusal:
    """A reason for a refusal, and when it applies."""

    reason: str
    help: str


def _degree_words(outcome: Outcome) -> str:
    return spoken(outcome.degree)


def _nothing_else(sheet: Any, options: Any) -> None:
    return None


def _no_heading(scene: Scene[Any, Any, Any], facts: tuple[Mapping[str, Fact], ...]) -> str:
    return ""


Need = Literal["more", "at_least", "at_most"]


def needed(number: int, needs: Need) -> str:
    """Return what a total must be: `more than 36`, `12 or more`, `55 or less`."""
    match needs:
        case "at_least":
            return f"{plain_number(number)} or more"
        case "at_most":
            return f"{plain_number(number)} or less"
    return f"more than {plain_number(number)}"


@frozen
class SideEffect:
    """A side effect of a roll, such as a jam, which occurs if the fact has this value.

    `words`: its name in the odds, such as `the gun jams`. `degree`: a degree of the outcome that already says
    as much, so that a die need not name both.
    """

    fact: str
    words: str
    value: Fact = True
    degree: str = ""

    def adds_to(self, degree: str) -> bool:
        """Return whether it adds anything to this degree."""
        return degree not in ("", self.degree, self.value)


@frozen
class Action:
    """An action of a game.

    `targets`: none, optional (one or none), one, or many (each resolved in turn). `itself`: the actor may
    be a target too. `friends`: the list of targets begins with the actor's side. `facts`: name ->
    meaning, for the printed vocabulary; a fact with the action's own name says what was used, for the
    recap. `success`, `amount`, `against`: the facts that the list of targets shows before the roll:
    whether it works (the fact is `success_value`), how much it does, and the number that the total is
    compared with. `needs`: whether the total must be more than that, at least that, or at most that; or a
    function of the scene, if house rules or targets differ. `success_label`: the name of its chance
    there, such as `wins`; by default the fact. `side_effects`: other facts that those odds show.
    `result_words(outcome)`: how an amount came about, after its bar in the odds, such as `× 2`; by
    default the outcome's degree. `notes(scene)`: what to know before the roll, for this actor, target and
    options: under "" about the whole ("beyond the 90 metres of the bow"), under "option=value" about
    choosing that value. `heading(scene of the first target, facts of each target)`: the sentence before
    those of several targets; without it they get a plain count. `instead(actor's sheet, options)`: the
    name of another action that these options mean, and the options that it needs, such as the explosion
    of a grenade; None for none. `total`: the fact that the terms of its explanations add up to.
    `aims(actor's sheet, options)`: how many aims one use has, such as three missiles; a target may be
    named more than once, and what is not named is split evenly. Each aim is resolved by itself, or with
    `together` those at one target at once. `splits`: it divides something among its targets
    (`Scene.part_of`). `group` sorts the list of actions; hooks are run by the encounter and not listed.
    `title`: its usual name, in lower case; by default the name without underscores. `letter`: one of
    LETTERS, its key; if several actions share a letter, the first has it. `unable`: a combatant that
    cannot act may take it all the same, such as a saving throw of the stunned; by default actions of the
    groups health, camp and hook. Affray refuses all others in a fight. `verb`: the words for it in that
    refusal, after `cannot`, such as `cast a spell`; by default the title. `names_use`: the fact that names
    what was used, such as an effect; a recap counts by it, and players without figures read it.
    """

    name: str
    help: str
    run: Callable[[Scene[Any, Any, Any], Table], Outcome]
    options: type = NoOptions
    targets: Literal["none", "optional", "one", "many"] = "none"
    facts: Mapping[str, str] = field(factory=dict)
    refusals: tuple[Refusal, ...] = ()
    group: Literal["combat", "check", "health", "turn", "camp", "hook"] = "combat"
    rules: tuple[str, ...] = ()
    success: str = ""
    success_value: Fact = True
    success_label: str = Factory(lambda self: self.success, takes_self=True)
    amount: str = ""
    against: str = ""
    side_effects: tuple[SideEffect, ...] = ()
    result_words: Callable[[Outcome], str] = _degree_words
    needs: Need | Callable[[Scene[Any, Any, Any]], Need] = "more"
    total: str = "total"
    aims: Callable[[Any, Any], int] | None = None
    together: bool = False
    splits: bool = False
    itself: bool = False
    friends: bool = False
    notes: Callable[[Scene[Any, Any, Any]], Mapping[str, str]] = lambda scene: {}
    heading: Callable[[Scene[Any, Any, Any], tuple[Mapping[str, Fact], ...]], str] = _no_heading
    instead: Callable[[Any, Any], tuple[str, Mapping[str, object]] | None] = _nothing_else
    title: str = Factory(lambda self: spoken(self.name), takes_self=True)
    letter: str = ""
    unable: bool = Factory(lambda self: self.group in ("health", "camp", "hook"), takes_self=True)
    verb: str = Factory(lambda self: self.title, takes_self=True)
    names_use: str = ""

    def succeeds(self, fact: Fact) -> bool:
        """Return whether this value of the fact `success` counts as success."""
        return bool(fact) if self.success_value is True else bool(fact == self.success_value)

    def needs_in(self, scene: Scene[Any, Any, Any]) -> Need:
        """Return how the total must compare with its number."""
        return self.needs(scene) if callable(self.needs) else self.needs


@frozen
class Effect:
    """An effect of a condition on the option of an action while a combatant has it.

    `role`: the role of the combatant with the condition. `amount` None takes the condition's own value. A
    number is added, a list gets one more entry (`value` if it is not a list of numbers), anything else is set
    to `value`. `sets`: a number is set to the amount instead of added. `when(actor's sheet, options)`:
    whether it counts for this action, such as an attack in melee. `against`: whether it counts against
    anyone, only against the condition's source, or only against all others. For a target's condition that is
    the actor, for an actor's condition the target.
    """

    action: str
    option: str
    role: Role = "actor"
    amount: int | None = None
    value: object = None
    when: Callable[[Any, Any], bool] = lambda actor, options: True
    sets: bool = False
    against: Literal["anyone", "source", "others"] = "anyone"


class _Marker:
    """A marker in `Condition.on` that is no value of a field."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name


VALUE = _Marker("VALUE")  # the condition's own value
LISTED = _Marker("LISTED")  # the condition's name, in a list of names


@frozen
class Condition:
    """A condition of the game.

    `field`: the field of the sheet that it represents, set to `on` and back to `off`. With `on=VALUE` a
    number is set to the condition's value, and the value follows the field when an action changes it. With
    `on=LISTED` the field is a list of names, and the condition's own name is in it.
    `also_changes(sheet, house, held)`: other changes to the sheet when that field is set or reset.
    `each_turn`: the action of the game that runs on the combatant when its turn begins, such as bleeding.
    `valued`: it has a value, such as the size of a boon, even if no effect here uses it. `counted`: giving it
    again adds to its value, up to `most`; it begins at 1, and the amounts of its effects count once for each
    point. `fades`: its value drops by 1 at that moment of its combatant's turns, and at 0 it ends. `acting`:
    it ends as soon as its combatant can't act, such as concentration. `foreseen`: the odds name it next to a
    roll that gives or ends it; not if another effect already says as much. `by_source`: each source gives
    one of its own, and each ends alone, such as two grapples. `lines()`: the effects that it gives its
    combatant (systems.effects). `begin_words`, `end_words`: the words after the name for its begin and its
    end, such as `cannot regenerate` and `regenerates again`; by default `is` and `is no longer` with the
    label. `label`: its name on the screen; by default the name without underscores. `status`: the status of
    the game that it brings, if the sheet gives no worse one, such as stunned.
    """

    name: str
    help: str = field(converter=without_rules)
    tone: Tone = "warning"
    field: str = ""
    on: object = True
    off: object = False
    also_changes: Callable[[Any, Any, bool], Mapping[str, object]] = lambda sheet, house, held: {}
    effects: tuple[Effect, ...] = ()
    rules: tuple[str, ...] = ()
    each_turn: str = ""
    valued: bool = False
    counted: bool = False
    most: int = 999
    fades: Literal["", "turn_start", "turn_end"] = ""
    acting: bool = False
    foreseen: bool = True
    label: str = Factory(lambda self: spoken(self.name), takes_self=True)
    by_source: bool = False
    begin_words: str = ""
    end_words: str = ""
    status: str = ""
    lines: Callable[[], tuple[Any, ...]] = lambda: ()

    def is_on(self, value: Any) -> bool:
        """Return whether this value of its field means that the sheet has the condition."""
        if self.on is LISTED:
            return self.name in (value or ())
        return bool(value != self.off if self.on is VALUE else value == self.on)

    def field_value(self, now: Any, number: int | None, held: bool) -> object:
        """Return what its field becomes when the condition is given or cleared. `number`: its value."""
        if self.on is LISTED:
            others = tuple(name for name in now if name != self.name)
            return others if not held else now if self.name in now else (*now, self.name)
        if not held:
            return self.off
        return number if self.on is VALUE else self.on

    @property
    def takes_value(self) -> bool:
        """Return whether a number after its name is its value; else it is a number of rounds."""
        if self.valued or self.counted or self.fades or self.on is VALUE:
            return True
        return any(effect.amount is None and effect.value is None for effect in self.effects)


def is_set(condition: Condition, sheet: Any) -> bool:
    """Return whether a sheet holds the field value of a condition."""
    return condition.is_on(getattr(sheet, condition.field))


@frozen
class StatusWord:
    """A status. `acts`: can take actions. `in_order`: its turn still comes up."""

    name: str
    tone: Tone = "plain"
    acts: bool = True
    in_order: bool = True


@frozen
class Meter:
    """A number with a maximum, drawn as a bar, or as pips with a symbol for each point.

    `symbols`: full and empty; `letter` replaces them if symbols can't be shown.
    """

    label: str
    now: str
    full: str
    style: Literal["bar", "pips"] = "bar"
    symbols: tuple[str, str] = ("●", "○")
    letter: str = ""

    def of(self, sheet: Any) -> tuple[int, int] | None:
        """Return the number and its maximum on a sheet; None if the maximum is 0."""
        now, full = getattr(sheet, self.now), getattr(sheet, self.full)
        return (now, full) if now or full else None


@frozen
class Mark:
    """A few words next to a combatant's name.

    `of_turn`: only during its turn. `tells`: the field of the sheet, or the label of the figure, with the
    same information; the mark is hidden while that is shown. `column`: the name of the column that shows
    this figure in the order. Text that begins with this name, such as `armour 12`, is aligned at its value.
    Leave out a figure at its usual value.
    """

    text: str
    tone: Tone = "plain"
    of_turn: bool = False
    tells: str = ""
    column: str = ""


@frozen
class Figure:
    """A derived number of the status screen, with its terms."""

    label: str
    value: int
    terms: tuple[Term, ...] = ()
    note: str = ""


@frozen
class AmountAction:
    """The action that `damage` or `heal` runs, and the option that takes the amount."""

    action: str
    amount: str = "amount"


@frozen
class SaveAction:
    """The action that rolls a save to end a condition, and its options: what is rolled, and against what.

    Its fact `success` says whether the save is made. The bearer is the actor, and there is no target.
    """

    action: str
    ability: str = "save"
    difficulty: str = "difficulty"


def _not_denied(sheet: Any, house: Any) -> str:
    return ""


@frozen
class Rest:
    """A rest after a fight: what it restores to a character.

    The game's own rules for it are the actions in `steps`, run in this order, each with its options; an
    action that refuses changes nothing. They must not roll dice. If the rules name no rest, `restores` says
    which numbers of the sheet a rest restores: to another field at least, or to exactly that number, as in
    `{"hp": "max_hp", "fatigue": 0, "powers.used": 0}`; the last is a field of each entry of a list.
    `denied(sheet, house)`: why a sheet gets nothing, such as `dead`; "" if it rests.
    `title`: what people call the rest, such as `half an hour's rest`.
    """

    name: str
    title: str
    steps: tuple[tuple[str, Mapping[str, object]], ...] = ()
    restores: Mapping[str, str | int] = {}
    denied: Callable[[Any, Any], str] = _not_denied


@frozen
class Initiative:
    """Rolled initiative: `score(sheet, table)` rolls it; equal scores go by `tie`, higher first.

    Those still equal roll one die of `roll_off` sides each until they differ; 0: in the order of joining.
    `first`: whether high or low scores go first, in a roll-off too.
    """

    score: Callable[[Any, Table], int]
    tie: Callable[[Any], int] = lambda sheet: 0
    roll_off: int = 0
    first: Literal["high", "low"] = "high"

    def rank(self, number: int) -> int:
        """Return a score or the die of a roll-off as a number; the higher number goes first."""
        return -number if self.first == "low" else number


# For a game without initiative of its own, in a campaign that wants it.
PLAIN_INITIATIVE = Initiative(lambda sheet, table: table.d(20, "initiative"))


OrderStyle = Literal["initiative", "sides", "manual"]


def _nothing_known(sheet: Any, is_player: bool) -> Mapping[str, object]:
    return {}


def _unchanged(version: int, sheet: Mapping[str, Any]) -> Mapping[str, Any]:
    return sheet


def _nothing_read(text: str) -> Mapping[str, Any] | None:
    return None


def _as_given(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    return fields


def _nothing(sheet: Any, house: Any) -> tuple[Any, ...]:
    return ()


def _by_name(declared: Iterable[N]) -> Mapping[str, N]:
    """Return the declarations by name; of two with one name the first."""
    found: dict[str, N] = {}
    for each in declared:
        found.setdefault(each.name, each)
    return found


HAPPENS = "happens"  # of a line of effects that is due; see `EffectRules.due`


@runtime_checkable
class EffectRules(Protocol):
    """The effects that sheets list, as the tracker asks for them; `systems.effects` has them.

    `action`: the action that runs one line; its option `effect` names the line.
    """

    @property
    def action(self) -> str: ...

    def lines(self, sheet: Any) -> Sequence[Any]:
        """Return the effects of a sheet."""

    def without_lines(self, sheet: Any) -> Any:
        """Return a sheet without its effects, for viewers who do not know them."""

    def loose_names(self, sheet: Any, entries: Collection[str] = ()) -> Iterable[Wrong]:
        """Yield an error for each name in a line that means nothing: no attack, effect or roster entry.

        `entries`: the ids of roster entries and of the game's creatures.
        """

    def due(self, lines: Iterable[Any], when: str) -> Iterable[tuple[Any, str]]:
        """Return the lines that a moment may concern, each with the option `does` of the action."""

    def applies(
        self, line: Any, does: str, scene: Scene[Any, Any, Any], damage: Sequence[tuple[str, int]] = ()
    ) -> bool:
        """Return whether a line happens now. `damage`: the damage that sets it off, by type."""

    def reached(self, before: Any, after: Any, house: Any) -> Iterable[str]:
        """Return the moments that a change of a sheet reaches: `bloodied` and `zero`."""


@frozen
class Ruleset:
    """A game. Every name in it is lower_snake_case; `name` is the folder and the entry point.

    `statuses`: declared from the best to the worst; see `drops`.
    `status(sheet, house)`: which of them a sheet has. `stored_status`: it is a field of the sheet.
    `order(house)`: the turn order style that the game uses; a campaign may choose another.
    `initiative`: how it is rolled, or a function of the house rules that returns how.
    `join(sheet, is_player)`: fields that the tracker fills in when a combatant enters the fight.
    `spent(sheet, house)`: whether a combatant has no action left in this turn. If sides take turns, `next`
    goes to a member that can still act. Without `spent`, a member can act until its turn is ended.
    `glance(sheet, house)`: marks next to the name. `brief(sheet, house)`: lines at the start of a turn.
    `figures(sheet, house)`: worked-out numbers for the status screen.
    `sections`: the fields of the sheet in groups, each under a heading, for the roster and the status screen.
    `templates(house)`: what a new character and a new creature begin with.
    `seat_fields`: figures of an ally that a seat may see.
    `harm`: whole-number fields whose loss is harm, for the recap; by default that of the first meter.
    `creatures`: the name of a folder of TOML in the game's package, a file for each creature that it ships.
    `tables`: the game's own tables, such as its spells, each a file of TOML in its package (tables.py).
    `contract`: the edition of this contract that the game is written for; the current one is CONTRACT.
    `version`: of the game's sheets, 1 at first; raised when a field changes its meaning or its type.
    `migrate(version, sheet)`: a plain sheet of that version as version + 1 has it. A field that has only
    another name needs neither: `formerly` on the field is enough.
    `reactions`: what others may do about an action or a hook, or at the end of a turn. `interrupts`: what
    combatants may do before a roll counts.
    `also_called`: other names by which people look for the game; several games may share one.
    `line_part(text)`: the plain fields that a part of a typed line gives, such as `fighter 5`, or None; lists
    are added to those of other parts. `line_whole(fields)`: the plain fields of a typed new sheet, with all
    that follows from them.
    `rests`: what a rest after a fight restores, the shortest rest first.
    `policy`: returns what a combatant may sensibly do in its turn, for forecasts; see policy.py. It is a
    function because a program that starts needs no policy.
    `ending_save`: the action that rolls the saves of conditions; without it, no condition has one.
    `immune(sheet, house)`: the names of conditions that a sheet cannot get.
    `effects`: how the effects that sheets list are run; None if sheets have none.
    `stat_blocks`: the function that makes a sheet of a pasted stat block, as `module:function`, loaded when
    it is needed; a `StatBlockReader` of stat_block.py. Without it, names and figures are taken by label.
    Hooks are actions named round_start, turn_start, turn_end and encounter_end.
    """

    name: str
    title: str
    credit: str
    sheet: type[Any]
    actions: tuple[Action, ...]
    default_action: str
    status: Callable[[Any, Any], str]
    statuses: tuple[StatusWord, ...]
    meters: tuple[Meter, ...]
    damage: AmountAction
    heal: AmountAction
    house: type[Any] = NoHouse
    stored_status: bool = False
    conditions: tuple[Condition, ...] = ()
    reactions: tuple[Reaction, ...] = ()
    interrupts: tuple[Interrupt, ...] = ()
    rests: tuple[Rest, ...] = ()
    ending_save: SaveAction | None = None
    immune: Callable[[Any, Any], Collection[str]] = _nothing
    effects: EffectRules | None = None
    order: Callable[[Any], OrderStyle] = lambda house: "manual"
    initiative: Initiative | Callable[[Any], Initiative] | None = None
    join: Callable[[Any, bool], Mapping[str, object]] = _nothing_known
    spent: Callable[[Any, Any], bool] | None = None
    glance: Callable[[Any, Any], tuple[Mark, ...]] = _nothing
    brief: Callable[[Any, Any], tuple[str, ...]] = _nothing
    figures: Callable[[Any, Any], tuple[Figure, ...]] = _nothing
    sections: tuple[Section, ...] = ()
    templates: Callable[[Any], Templates] = lambda house: Templates()
    seat_fields: tuple[str, ...] = ()
    harm: tuple[str, ...] = ()
    creatures: str = ""
    tables: "tuple[GameTable[Any], ...]" = ()
    contract: int = 1
    version: int = 1
    migrate: Callable[[int, Mapping[str, Any]], Mapping[str, Any]] = _unchanged
    also_called: tuple[str, ...] = ()
    line_part: Callable[[str], Mapping[str, Any] | None] = _nothing_read
    line_whole: Callable[[Mapping[str, Any]], Mapping[str, Any]] = _as_given
    policy: "Callable[[], Policy] | None" = None
    stat_blocks: str = ""

    # Commands look these up many times, and a game never changes.
    @cached_property
    def blank_sheet(self) -> Any:
        """Return an empty sheet; it represents the target if there is none."""
        return self.sheet()

    @cached_property
    def _actions_by_name(self) -> Mapping[str, Action]:
        return _by_name(self.actions)

    @cached_property
    def _statuses_by_name(self) -> Mapping[str, StatusWord]:
        return _by_name(self.statuses)

    @cached_property
    def _reactions_by_name(self) -> Mapping[str, Reaction]:
        return _by_name(self.reactions)

    @cached_property
    def _conditions_by_name(self) -> Mapping[str, Condition]:
        return _by_name(self.conditions)

    def action(self, name: str) -> Action | None:
        """Return the action of that exact name, or None."""
        return self._actions_by_name.get(name)

    @cached_property
    def _always_allowed(self) -> frozenset[str]:
        """Return the names of actions that happen to a combatant, and `status`, which only reads."""
        each_turn = (condition.each_turn for condition in self.conditions)
        save = self.ending_save.action if self.ending_save else ""
        return frozenset((self.damage.action, self.heal.action, "status", save, *each_turn))

    def allows_unable(self, action: Action) -> bool:
        """Return whether a combatant that cannot act may take an action all the same."""
        return action.unable or action.name in self._always_allowed

    @property
    def harm_fields(self) -> tuple[str, ...]:
        """Return the fields of the sheet whose loss is harm."""
        return self.harm or tuple(meter.now for meter in self.meters[:1])

    @property
    def letters(self) -> dict[str, Action]:
        """Return the action of each letter that the game gives to one."""
        found: dict[str, Action] = {}
        for action in self.actions:
            if action.letter:
                found.setdefault(action.letter, action)
        return found

    def initiative_under(self, house: Any) -> Initiative:
        """Return how initiative is rolled under these house rules; a d20 if the game has none."""
        match self.initiative:
            case None:
                return PLAIN_INITIATIVE
            case Initiative():
                return self.initiative
            case chosen:
                return chosen(house)

    def status_word(self, name: str) -> StatusWord:
        """Return the declared status of that name; an undeclared one is plain and acts."""
        return self._statuses_by_name.get(name) or StatusWord(name)

    @cached_property
    def _statuses_of_conditions(self) -> Mapping[str, StatusWord]:
        return {each.name: self.status_word(each.status) for each in self.conditions if each.status}

    def worsened(self, status: StatusWord, conditions: Iterable[str]) -> StatusWord:
        """Return the status of a combatant with these conditions: the worst of its sheet's and theirs."""
        known = self._statuses_of_conditions
        if not known:
            return status
        order = tuple(self._statuses_by_name)
        found = [status, *(known[name] for name in conditions if name in known)]
        return max(found, key=lambda each: order.index(each.name) if each.name in order else -1)

    def drops(self, before: StatusWord, after: StatusWord) -> bool:
        """Return whether a change of status puts a combatant out of action, or further out of action.

        A stunned or unconscious combatant that falls or dies drops, too. A partial recovery does not count as
        a drop.
        """
        if after.acts:
            return False
        order = tuple(self._statuses_by_name)
        known = before.name in order and after.name in order
        return before.acts or (known and order.index(before.name) < order.index(after.name))

    def reaction(self, name: str) -> Reaction | None:
        """Return the reaction of that exact name, or None."""
        return self._reactions_by_name.get(name)

    def spent_by(self, name: str) -> str:
        """Return the word under which a used reaction or interrupt is noted."""
        return self._spends.get(name, name)

    def again_of(self, spent: str) -> Again:
        """Return when a combatant has a used reaction again, by the word under which it is noted."""
        return self._again.get(spent, "turn")

    @cached_property
    def _again(self) -> Mapping[str, Again]:
        lifetimes = {each.spends or each.name: each.again for each in self.interrupts}
        return lifetimes | {each.spends or each.name: each.again for each in self.reactions}

    @cached_property
    def _spends(self) -> Mapping[str, str]:
        spent = {each.name: each.spends or each.name for each in self.interrupts}
        return spent | {each.name: each.spends or each.name for each in self.reactions}

    def condition(self, name: str) -> Condition | None:
        """Return the game's own condition of that exact name, or None."""
        return self._conditions_by_name.get(name)

    def condition_label(self, name: str) -> str:
        """Return the label of a condition: the game's own label, or a free name as typed."""
        own = self.condition(name)
        return own.label if own else spoken(name)

    def choice_words(self, choice: object) -> str:
        """Return a choice in words; the name of a condition by its label."""
        return self.condition_label(as_words(choice))
