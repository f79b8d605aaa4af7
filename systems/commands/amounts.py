"""The commands `damage` and `heal`: one amount for several, rolled once or for each, whole, half or none."""

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal, TypeVar

from systems.commands.actions import roll_notation, typed_options, with_people
from systems.commands.declaration import (
    CommandKind,
    Described,
    Recorded,
    Requester,
    merged,
    options_as_typed,
    options_of,
    still_there,
)
from systems.commands.preview import Preview, preview
from systems.commands.resolve import act
from systems.commands.transaction import Transaction
from systems.commands.wording import names_of
from systems.contract.action import Action
from systems.contract.ruleset import AmountAction, Ruleset
from systems.dice.expression import DiceError
from systems.dice.notation import amount, describe, odds
from systems.encounter.events import Event
from systems.encounter.lookup import arrived, single, standing, targets
from systems.encounter.loose_words import option_of_word
from systems.encounter.model import Combatant, Encounter
from systems.errors import Refused, Wrong, unknown
from systems.frozen import evolve, frozen
from systems.language.declaration import checked_dice
from systems.language.intents import AMOUNT_OPTIONS, AMOUNT_PARTS, Intent
from systems.language.tokens import TokenLine, quote
from systems.odds import TooManyDice
from systems.schema.fields import fields_of
from systems.schema.types import Choice, Whole
from systems.text import matches, nearest, several, shown, spoken, suggestion

T = TypeVar("T")
# With more different totals than this, a list of targets would no longer appear at once.
MOST_TOTALS = 250
_WITH_WORDS = re.compile(r"(.*?\S)((?:\s+[A-Za-z_-]{3,})+)")


@frozen
class DamageOrHeal(Intent):
    """`damage TARGETS AMOUNT` or, with `heals`, `heal TARGETS AMOUNT`.

    `by`: the combatant that causes it. `options`: those of the game's action, and `AMOUNT_OPTIONS`.
    """

    targets: str
    amount: str
    options: Mapping[str, str] = {}
    heals: bool = False
    by: str = ""


SharedPart = Literal["all", "half", "none"]


@frozen
class AmountCommand:
    """A `damage` or `heal` command as read in an encounter; combatants are ids.

    `named`: those named, `targets`: those of them in the fight. `each`: the dice are rolled for each of them.
    `parts`: targets that take half or nothing. `given`: the options of the game's action as typed.
    """

    action: Action
    verb: AmountAction
    named: tuple[str, ...]
    targets: tuple[str, ...]
    amount: str
    each: bool
    parts: Mapping[str, SharedPart]
    given: Mapping[str, str]
    by: str

    def part(self, who: str) -> SharedPart:
        """Return how much of the amount one target takes."""
        return self.parts.get(who, "all")

    def share(self, who: str, total: int) -> int:
        """Return the share of a target that takes something; half of 1 may be the least possible."""
        if self.part(who) == "half":
            return max(min(total, self.least), total // 2)
        return total

    @property
    def least(self) -> int:
        """Return the least number that the game takes."""
        field = fields_of(self.action.options)[self.verb.amount]
        return field.type.low if isinstance(field.type, Whole) else 0

    def options(self, encounter: Encounter, number: int) -> Any:
        """Return the options of the game's action for that number. Raises Wrong or Refused."""
        typed = typed_options(self.action, {**self.given, self.verb.amount: str(number)})
        return with_people(encounter, self.action, typed)


def amount_action(game: Ruleset, *, heals: bool) -> tuple[Action, AmountAction]:
    """Return the game's action for `damage` or `heal`, and how it takes the amount."""
    verb = game.heal if heals else game.damage
    action = game.action(verb.action)
    assert action is not None
    return action, verb


def read_amount(encounter: Encounter, intent: DamageOrHeal) -> AmountCommand:
    """Return what a line means. Raises Refused or Wrong with one sentence."""
    action, verb = amount_action(encounter.game, heals=intent.heals)
    dealt, *words = parted(intent.amount)
    named = targets(encounter, intent.targets)
    hit = standing(encounter, named) if len(named) > 1 else named
    for who in hit:
        arrived(encounter.combatants[who])
    try:
        fixed = amount(dealt)
    except DiceError as error:
        raise Refused(f"the amount {error}") from None
    own, given = _options(action, verb, intent)
    for word in words:
        given |= _option_of_word(action, verb, word, given)
    doing = AmountCommand(
        action,
        verb,
        named,
        tuple(hit),
        dealt,
        _is_each(own.get("throw", "one")),
        _parts(encounter, named, own),
        given,
        single(encounter, intent.by).id if intent.by else "",
    )
    # Check everything before any die is rolled.
    doing.options(encounter, fixed if isinstance(fixed, int) else doing.least)
    return doing


def _options(
    action: Action, verb: AmountAction, intent: DamageOrHeal
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the tracker's own options by their names, and those of the game as typed. Raises Wrong."""
    own: dict[str, str] = {}
    given: dict[str, str] = {}
    known = (*AMOUNT_OPTIONS, *fields_of(action.options))
    for name, word in intent.options.items():
        found = matches(name, known)
        if not found:
            says = f"{'heal' if intent.heals else 'damage'} has no option {shown(name)}"
            typed = [spoken(option) for option in known if option != verb.amount]
            raise unknown("", says, name, typed, "unknown_field")
        if len(found) == 1 and found[0] in AMOUNT_OPTIONS:
            if found[0] in own:
                raise Wrong("", f"{found[0]} is given twice; give it once")
            own[found[0]] = word
        else:
            given[name] = word
    return own, given


def parted(text: str) -> Sequence[str]:
    """Return an amount and the words after it, `8d6` and `fire`; the whole text if it is no amount."""
    found = _WITH_WORDS.fullmatch(text)
    if found is None or is_amount(text) or not is_amount(found[1]):
        return (text,)
    return (found[1], *found[2].split())


def is_amount(text: str) -> bool:
    """Return whether a text is a number or dice."""
    try:
        amount(text)
    except DiceError:
        return False
    return True


def _option_of_word(
    action: Action, verb: AmountAction, word: str, given: Mapping[str, str]
) -> dict[str, str]:
    """Return the option that a word after the amount gives, `type` and `fire`. Raises Refused."""
    found = option_of_word(action, word, {verb.amount: "", **given}, None)
    if found is None:
        fields = [field for name, field in fields_of(action.options).items() if name not in given]
        known = [value for field in fields if isinstance(field.type, Choice) for value in field.type.values]
        says = f"{shown(word)} is one word too many after the amount{suggestion(word, known)}"
        raise Refused(says, code="unknown_name", suggestion=nearest(word, known), word=word)
    return dict([found])


def _is_each(word: str) -> bool:
    found = matches(word, ("one", "each"))
    if not found:
        raise Wrong("", f"throw: expected one (a roll for all) or each, got {shown(word)}")
    return found[0] == "each"


def _parts(encounter: Encounter, named: Sequence[str], options: Mapping[str, str]) -> dict[str, SharedPart]:
    """Return the targets that take half or nothing. Raises Refused for others, and for one in both lists."""
    found: dict[str, SharedPart] = {}
    parts: tuple[SharedPart, ...] = ("half", "none")
    for part in parts:
        for who in targets(encounter, options[part]) if part in options else ():
            name = encounter.combatants[who].name
            if who not in named:
                raise Refused(f"{part}: {name} is not a target; add it to the targets")
            if who in found:
                raise Refused(f"{name} is given for both half and none; choose one")
            found[who] = part
    return found


def _words(part: SharedPart) -> str:
    return {"all": "all of it", "half": "half", "none": "nothing"}[part]


def damage_or_heal(transaction: Transaction, intent: DamageOrHeal) -> None:
    """Carry out `damage` or `heal`: the game's action on each target, a heading before several."""
    doing = read_amount(transaction.encounter, intent)
    transaction.record(actor=doing.by, targets=doing.targets, action=doing.action.name)
    transaction.options = _recorded(doing)
    start, thrown = len(transaction.sentences), ""
    numbers: dict[str, int] = {}
    if doing.each:
        for who in doing.targets:
            if doing.part(who) != "none":
                transaction.share_roll([who])
                numbers[who], _ = _thrown(transaction, doing)
    else:
        transaction.share_roll(doing.named)
        number, thrown = _thrown(transaction, doing)
        numbers = dict.fromkeys(doing.targets, number)
    options: dict[int, Any] = {}  # one for each amount: many take the same
    for who in doing.targets:
        if doing.part(who) == "none":
            transaction.say(f"{transaction.combatant(who).name} takes nothing.", [who])
            continue
        number = doing.share(who, numbers[who])
        if number not in options:
            options[number] = doing.options(transaction.encounter, number)
        act(transaction, doing.action, who, None, options[number])
    if len(doing.targets) > 1:

        def heading(group: Sequence[str]) -> str:
            return _heading(transaction, doing, group, intent.heals, thrown)

        transaction.say_heading(doing.targets, heading, start)


def _recorded(doing: AmountCommand) -> dict[str, Any]:
    """Return the options for the event, with combatants as ids."""
    found: dict[str, Any] = {"amount": doing.amount, **doing.given}
    if doing.each:
        found["throw"] = "each"
    for part in ("half", "none"):
        if some := [who for who in doing.targets if doing.part(who) == part]:
            found[part] = ",".join(some)
    return found


def _thrown(transaction: Transaction, doing: AmountCommand) -> tuple[int, str]:
    """Return the amount, 0 or more, and its source: a number, or dice that are rolled now."""
    fixed = amount(doing.amount)
    if isinstance(fixed, int):
        return fixed, str(fixed)
    result = roll_notation(transaction.table, doing.amount, "gm")
    return max(0, result.total), describe(result)


def _heading(
    transaction: Transaction, doing: AmountCommand, group: Sequence[str], heals: bool, thrown: str
) -> str:
    """Return `Damage for 4: 2d6 (5, 3) = 8; Guard 2 takes half.`"""
    what = f"{'Healing' if heals else 'Damage'} for {len(group)}: "
    what += f"{doing.amount} rolled for each" if doing.each else thrown
    for part in ("half", "none"):
        some = [transaction.combatant(who).name for who in group if doing.part(who) == part]
        if some:
            what += f"; {several(some)} {'takes' if len(some) == 1 else 'take'} {_words(part)}"
    return f"{what}."


def _read(taken: TokenLine, heals: bool) -> Intent:
    aimed = taken.take_targets()
    dealt = checked_dice(taken.rest("the amount"), lambda text: amount(parted(text)[0]))
    return DamageOrHeal(aimed, dealt, taken.take_options(), heals, taken.take_by())


def _carry_out(transaction: Transaction, intent: DamageOrHeal) -> None:
    damage_or_heal(transaction, intent)
    transaction.after_action = transaction.encounter


def _line(intent: DamageOrHeal) -> str:
    given = "".join(f" {name}={quote(value)}" for name, value in intent.options.items())
    by = f" by {intent.by}" if intent.by else ""
    return f"{'heal' if intent.heals else 'damage'} {intent.targets} {intent.amount}{given}{by}"


def _in_words(encounter: Encounter, intent: DamageOrHeal) -> str:
    given = [f"{name} {names_of(encounter, word)}" for name, word in intent.options.items()]
    does = "heal" if intent.heals else "damage"
    return ", ".join([f"{does} {names_of(encounter, intent.targets)} by {intent.amount}", *given])


def _table_words(encounter: Encounter, intent: DamageOrHeal) -> str:
    ids = ",".join(targets(encounter, intent.targets))
    return _in_words(encounter, evolve(intent, targets=ids))


def _own_intent(asker: Requester, intent: DamageOrHeal) -> tuple[Combatant, Intent]:
    allowed = asker.all_friends if intent.heals else asker.all_own
    aimed = allowed(intent.targets)
    actor = asker.own(intent.by) if intent.by else asker.of_these(aimed)
    parts = {
        name: ",".join(each.id for each in allowed(word)) if name in AMOUNT_PARTS else word
        for name, word in intent.options.items()
    }
    ids = ",".join(each.id for each in aimed)
    return actor, evolve(intent, targets=ids, options=parts, by=actor.id if intent.by else "")


def _held(event: Event, blank: DamageOrHeal) -> Intent:
    options = options_as_typed(event)
    dealt = options.pop("amount", "")
    return evolve(blank, targets=",".join(event.targets), amount=dealt, options=options, by=event.actor)


def _with_ids(intent: DamageOrHeal, recorded: Recorded) -> Intent:
    aimed, dealt = recorded.aimed(intent.targets), intent.amount
    options = dict(intent.options)
    if recorded.event.options:
        # The event holds the words after the amount as options.
        dealt, *_ = parted(dealt)
        options = options_as_typed(recorded.event) | _sharers(intent, recorded, aimed.split(","))
    options.pop("amount", None)
    return evolve(intent, targets=aimed, amount=dealt, options=options, by=recorded.actor(intent.by))


def _sharers(intent: DamageOrHeal, recorded: Recorded, aimed: Sequence[str]) -> dict[str, str]:
    """Return the combatants that take half or none of an amount, including targets that had fallen."""
    known = _known_options(intent, recorded.then.game)
    found: dict[str, str] = {}
    for word, named in intent.options.items():
        match matches(word, known):
            case [part] if part in AMOUNT_PARTS:
                held = [who for who in str(recorded.event.options.get(part, "")).split(",") if who]
                sharing = [who for who in recorded.meant(held, named) if who in aimed]
                found |= {part: ",".join(sharing)} if sharing else {}
    return found


def _again(intent: DamageOrHeal, event: Event, here: Encounter) -> Intent:
    aimed = still_there(intent.targets, event, here)
    options = dict(intent.options)
    for part in AMOUNT_PARTS:
        sharing = [who for who in options.pop(part, "").split(",") if who in aimed.split(",")]
        options |= {part: ",".join(sharing)} if any(sharing) else {}
    return evolve(intent, targets=aimed, options=options)


def _known_options(intent: DamageOrHeal, game: Ruleset) -> tuple[str, ...]:
    verb = game.heal if intent.heals else game.damage
    return (*AMOUNT_OPTIONS, *options_of(game.action(verb.action)))


def _amended(intent: DamageOrHeal, given: Mapping[str, str], by: str, game: Ruleset) -> Intent:
    rest = dict(given)
    amount = next((rest.pop(name) for name in given if matches(name, ("amount",))), intent.amount)
    options = merged(_known_options(intent, game), intent.options, rest)
    return evolve(intent, amount=amount, options=options, by=by or intent.by)


def _title_of_damage(described: Described) -> str:
    if not described.targets:
        return ""
    by = f" by {described.actor}" if described.actor else ""
    return f"{described.option('amount')} damage to {described.targets}{by}".strip()


def _title_of_heal(described: Described) -> str:
    if not described.targets:
        return ""
    return f"healing of {described.targets}" + (f" by {described.actor}" if described.actor else "")


def _kind(name: Literal["damage", "heal"], help: str, title: Callable[[Described], str]) -> CommandKind:
    heals = name == "heal"
    return CommandKind(
        name,
        (f"{name} TARGETS AMOUNT [option=value] [by WHO]",),
        help,
        lambda taken: _read(taken, heals),
        amount=name,
        carry_out=_carry_out,
        line=_line,
        words=_in_words,
        table_words=_table_words,
        blank=DamageOrHeal("", "", heals=heals),
        held=_held,
        with_ids=_with_ids,
        again=_again,
        amended=_amended,
        title=title,
        own_intent=_own_intent,
        helps=heals,
    )


DAMAGE = _kind("damage", "deal damage that reaches the body", _title_of_damage)
HEAL = _kind("heal", "heal damage", _title_of_heal)


def preview_amount(encounter: Encounter, doing: AmountCommand, who: str) -> Preview:
    """Return the effect on one target: how much, whether it drops, side effects. Raises TooManyDice.

    Raises Wrong for impossible options.
    """
    parts = [
        (preview(encounter, doing.action, who, None, doing.options(encounter, number)), chance)
        for number, chance in _spread(doing, who).items()
    ]
    refused = next((part.refused for part, _ in parts if part.refused), "")
    if refused or doing.part(who) == "none":
        return Preview(refused=refused)
    effects: dict[str, Fraction] = {}
    amounts: dict[int, Fraction] = {}
    drops = Fraction(0)
    for part, chance in parts:
        drops += chance * (part.drops or 0)
        _add(amounts, part.amounts, chance)
        _add(effects, dict(part.effects), chance)
    likeliest = sorted(effects.items(), key=lambda effect: -effect[1])
    return Preview(drops=drops, amounts=dict(sorted(amounts.items())), effects=tuple(likeliest))


def _add(into: dict[T, Fraction], some: Mapping[T, Fraction], chance: Fraction) -> None:
    for value, part in some.items():
        into[value] = into.get(value, Fraction(0)) + chance * part


def _spread(doing: AmountCommand, who: str) -> dict[int, Fraction]:
    """Return the possible amounts for one target, with probabilities. Raises TooManyDice."""
    fixed = amount(doing.amount)
    if doing.part(who) == "none":
        return {}
    try:
        spread = {fixed: Fraction(1)} if isinstance(fixed, int) else odds(doing.amount)[0]
    except DiceError as error:
        raise TooManyDice from error
    if len(spread) > MOST_TOTALS:
        raise TooManyDice
    found: dict[int, Fraction] = {}
    for value, chance in spread.items():
        number = doing.share(who, max(0, value))
        found[number] = found.get(number, Fraction(0)) + chance
    return found
