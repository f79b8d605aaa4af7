"""What a game declares; `tui` knows a game by nothing else.


A game is one `Ruleset`: a sheet (sheet.py), actions (action.py), house rules, conditions (condition.py), a
turn order, and what to show (display.py). `systems/README.md` begins with a first game.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar, runtime_checkable

from systems.contract.action import Action, Scene
from systems.contract.condition import Condition
from systems.contract.display import Figure, Mark, Meter, StatusWord
from systems.contract.reaction import Interrupt, Reaction, UsableAgain
from systems.contract.sheet import NoHouse, Section, Templates
from systems.contract.table import Table
from systems.errors import Wrong
from systems.frozen import frozen
from systems.schema.values import as_words
from systems.text import spoken

if TYPE_CHECKING:
    from systems.contract.policy import Policy
    from systems.contract.tables import GameTable

N = TypeVar("N", "Action", "Condition", "Reaction", "StatusWord")

CONTRACT = 2  # the edition of the contract
PLAYERS, FOES = "players", "foes"


@frozen
class AmountAction:
    """The action that `damage` or `heal` runs, and the option that takes the amount."""

    action: str
    amount: str = "amount"


@frozen
class SaveAction:
    """The action that rolls a save to end a condition, and its options: the save and its difficulty.

    Its fact `success` says whether the save is made. The bearer is the actor, and there is no target.
    """

    action: str
    ability: str = "save"
    difficulty: str = "difficulty"


@frozen
class EscapeAction:
    """The action by which a combatant tries to get free of a condition with an escape number.

    `condition`, `difficulty`: its options for the name of the condition and the number. `options`: others,
    such as the usual skill. The bearer is the actor, and there is no target. The action ends the condition.
    `held(sheet)`: for a game that keeps the condition and its number on the sheet: both, or None. Its action
    needs none of those options.
    """

    action: str
    condition: str = "ends"
    difficulty: str = "difficulty"
    options: Mapping[str, object] = {}
    held: Callable[[Any], tuple[str, int] | None] | None = None


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

    `surprised` rolls it for a surprised combatant; None: the game has no rule for surprise.

    Those still equal roll one die of `roll_off` sides each until they differ; 0: in the order of joining.
    `first`: whether high or low scores go first, in a roll-off too.
    """

    score: Callable[[Any, Table], int]
    tie: Callable[[Any], int] = lambda sheet: 0
    roll_off: int = 0
    first: Literal["high", "low"] = "high"
    surprised: Callable[[Any, Table], int] | None = None

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
        self,
        line: Any,
        does: str,
        scene: Scene[Any, Any, Any],
        damage: Sequence[tuple[str, int]] = (),
        by: str = "",
    ) -> bool:
        """Return whether a line happens now. `damage`: the damage that sets it off, by type; `by`: whose."""

    def line(self, lines: Sequence[Any], options: Any) -> Any | None:
        """Return the line that happens by these options of the action, or None."""

    def uses(self, sheet: Any, line: Any) -> tuple[str, Mapping[str, object]] | None:
        """Return the action that a line carries out, and its options; None if it has effects of its own."""

    def aims(self, lines: Sequence[Any], line: Any) -> Any | None:
        """Return the line that says whom an effect affects; None if a person chooses."""

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
    are added to those of other parts. It raises Wrong for a misspelling, with the part that is meant.
    `line_whole(fields)`: the plain fields of a typed new sheet, with all that follows from them.
    `rests`: what a rest after a fight restores, the shortest rest first.
    `policy`: what a combatant may sensibly do in its turn, for forecasts; see policy.py. Either the Policy
    itself, or the name of the module in the game's package that has it as `POLICY`: a program that starts
    needs no policy.
    `ending_save`: the action that rolls the saves of conditions; without it, no condition has one.
    `escape`: the action that is offered to a combatant with a condition that has an escape number, in its
    turn.
    `immune(sheet, house)`: the names of conditions that a sheet cannot get.
    `keeps_up(sheet)`: the names of conditions that a combatant keeps up on others, such as by concentration.
    Those that it gave end when they are no longer among them.
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
    escape: EscapeAction | None = None
    immune: Callable[[Any, Any], Collection[str]] = _nothing
    keeps_up: Callable[[Any], Collection[str]] | None = None
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
    policy: "Policy | str | None" = None
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

    @cached_property
    def own_policy(self) -> "Policy | None":
        """Return the game's policy, loaded from its module if it is declared by name."""
        if not isinstance(self.policy, str):
            return self.policy
        package = self.sheet.__module__.rpartition(".")[0]
        policy: Policy = import_module(f"{package}.{self.policy}").POLICY
        return policy

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

    @cached_property
    def _reactions_by_moment(self) -> Mapping[str, tuple[Reaction, ...]]:
        found: dict[str, tuple[Reaction, ...]] = {}
        for reaction in self.reactions:
            found[reaction.after] = (*found.get(reaction.after, ()), reaction)
        return found

    def reactions_after(self, moment: str) -> tuple[Reaction, ...]:
        """Return the reactions to an action of this name, or to the end of a turn."""
        return self._reactions_by_moment.get(moment, ())

    def reaction(self, name: str) -> Reaction | None:
        """Return the reaction of that exact name, or None."""
        return self._reactions_by_name.get(name)

    def spent_by(self, name: str) -> str:
        """Return the word under which a used reaction or interrupt is noted."""
        return self._spends.get(name, name)

    def again_of(self, spent: str) -> UsableAgain:
        """Return when a combatant has a used reaction again, by the word under which it is noted."""
        return self._again.get(spent, "turn")

    @cached_property
    def _again(self) -> Mapping[str, UsableAgain]:
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
