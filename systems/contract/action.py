"""An action of a game, and the scene that it reads.

An action is a pure function `run(scene, table) -> Outcome`: it asks the table for dice and choices, changes
nothing, and returns what follows (outcome.py).
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from systems.contract.marked_text import as_actor
from systems.contract.outcome import Fact, Outcome, Role, Term, Whose, optional_term, owned
from systems.contract.reaction import Interrupt
from systems.contract.sheet import Sheet
from systems.contract.table import Table
from systems.errors import Wrong
from systems.frozen import derived, frozen
from systems.schema.fields import NoOptions
from systems.text import plain_number, spoken

if TYPE_CHECKING:
    from systems.contract.fight import Fight, Read

S = TypeVar("S", bound=Sheet)
O = TypeVar("O")  # noqa: E741 - the third letter of scene, options, house
H = TypeVar("H")

LETTERS = "fgilmpstz"  # letters that a game may give to its actions; all others are keys of the program


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


# A scene of any game.
AnyScene = Scene[Any, Any, Any]


@frozen
class Refusal:
    """A reason for a refusal, and when it applies."""

    reason: str
    help: str


def _degree_words(outcome: Outcome) -> str:
    return spoken(outcome.degree)


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
    be a target too. `friends`: the list of targets begins with the actor's side; it may be a function of the
    actor's sheet and the options, such as for a spell that heals. `facts`: name ->
    meaning, for the printed vocabulary; a fact with the action's own name says what was used, for the
    recap. `success`, `amount`, `against`: the facts that the list of targets shows before the roll:
    whether it works (the fact is `success_value`), how much it does, and the number that the total is
    compared with. `heals`: the fact that those odds show as the amount if it only heals. `needs`: whether
    the total must be more than that, at least that, or at most that; or a function of the scene, if house
    rules or targets differ. `success_label`: the name of its chance
    there, such as `wins`; by default the fact. `side_effects`: other facts that those odds show.
    `result_words(outcome)`: how an amount came about, after its bar in the odds, such as `× 2`; by
    default the outcome's degree. `notes(scene)`: what to know before the roll, for this actor, target and
    options: under "" about the whole ("beyond the 90 metres of the bow"), under "option=value" about
    choosing that value. `heading(scene of the first target, facts of each target)`: the sentence before
    those of several targets; without it they get a plain count. `instead(actor's sheet, options)`: the
    name of another action that these options mean, and the options that it needs, such as the explosion
    of a grenade; None for none. `total`: the fact that the terms of its explanations add up to.
    `aims(actor's sheet, options)`: how many aims one use has, such as three missiles; a target may be
    named more than once, and the rest is split evenly; 0: any number of targets. Each aim is resolved by
    itself, or with `together` those at one target at once. `splits`: it divides something among its targets
    (`Scene.part_of`). `group` sorts the list of actions; hooks are run by the encounter and not listed.
    `title`: its usual name, in lower case; by default the name without underscores. `letter`: one of
    LETTERS, its key; if several actions share a letter, the first has it. `unable`: a combatant that
    cannot act may take it all the same, such as a saving throw of the stunned; by default actions of the
    groups health, camp and hook. Affray refuses all others in a fight. `verb`: the words for it in that
    refusal, after `cannot`, such as `cast a spell`; by default the title. `names_use`: the fact that names
    what was used, such as an effect; a recap counts by it, and players without figures read it.
    `close(scene)`: it reaches only a target near the actor, such as a blow with a sword. If the game master
    has said which combatants are near each other, the odds and the log say that the target is not.
    `private`: players who see no exact values of the actor read nothing of it, such as a recharge.
    `at_once`: it affects all its targets at the same moment, such as a breath. The conditions that a target
    kept up, and the actions that the rules demand of it, wait until every target is affected.
    """

    name: str
    help: str
    run: Callable[[Scene[Any, Any, Any], Table], Outcome]
    options: type = NoOptions
    targets: Literal["none", "optional", "one", "many"] = "none"
    facts: Mapping[str, str] = {}
    refusals: tuple[Refusal, ...] = ()
    group: Literal["combat", "check", "health", "turn", "camp", "hook"] = "combat"
    rules: tuple[str, ...] = ()
    success: str = ""
    success_value: Fact = True
    success_label: str = derived(lambda self: self.success)
    amount: str = ""
    heals: str = ""
    against: str = ""
    side_effects: tuple[SideEffect, ...] = ()
    result_words: Callable[[Outcome], str] = _degree_words
    needs: Need | Callable[[Scene[Any, Any, Any]], Need] = "more"
    total: str = "total"
    aims: Callable[[Any, Any], int] | None = None
    together: bool = False
    splits: bool = False
    itself: bool = False
    friends: bool | Callable[[Any, Any], bool | Literal["itself"]] = False
    notes: Callable[[Scene[Any, Any, Any]], Mapping[str, str]] = lambda scene: {}
    heading: Callable[[Scene[Any, Any, Any], tuple[Mapping[str, Fact], ...]], str] | None = None
    instead: Callable[[Any, Any], tuple[str, Mapping[str, object]] | None] | None = None
    title: str = derived(lambda self: spoken(self.name))
    letter: str = ""
    unable: bool = derived(lambda self: self.group in ("health", "camp", "hook"))
    verb: str = derived(lambda self: self.title)
    names_use: str = ""
    close: Callable[[Scene[Any, Any, Any]], bool] | None = None
    private: bool = False
    at_once: bool = False

    def is_for_friends(self, sheet: Any, options: Any) -> bool:
        """Return whether it is meant for the actor's own side with these options; False if they are wrong."""
        if not callable(self.friends):
            return self.friends
        try:
            return bool(self.friends(sheet, options))
        except Wrong:
            return False

    def is_for_itself(self, sheet: Any, options: Any) -> bool:
        """Return whether these options can only be used on the actor itself; False if they are wrong."""
        try:
            return callable(self.friends) and self.friends(sheet, options) == "itself"
        except Wrong:
            return False

    def succeeds(self, fact: Fact) -> bool:
        """Return whether this value of the fact `success` counts as success."""
        return bool(fact) if self.success_value is True else bool(fact == self.success_value)

    def needs_in(self, scene: Scene[Any, Any, Any]) -> Need:
        """Return how the total must compare with its number."""
        return self.needs(scene) if callable(self.needs) else self.needs
