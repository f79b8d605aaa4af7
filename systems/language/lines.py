"""Write intents as lines of the command language."""

from systems.language.intents import (
    Act,
    ClearCondition,
    DamageOrHeal,
    Delay,
    Intent,
    Next,
    Ready,
    Return,
    RollDice,
    SetCondition,
    SetField,
)
from systems.language.tokens import quote


def line_of(intent: Intent) -> str:
    """Return the line for an intent, or "" if this module has none for it."""
    match intent:
        case Act(action, aims, options, by, in_quotes):
            words = [f"{name}={quote(word, always=name in in_quotes)}" for name, word in options.items()]
            return " ".join(word for word in (action, aims, *words, by and f"by {by}") if word)
        case Next(by):
            return f"next by {by}"
        case Delay(who):
            return f"delay {who}"
        case Return(who):
            return f"return {who}"
        case Ready(who, text):
            return f"ready {who} {text}"
        case RollDice(dice, who):
            return f"roll {dice} for {who}"
        case SetField(who, field, value):
            return f"set {who} {field} {value}"
        case DamageOrHeal(aims, amount, options, heals, by):
            given = "".join(f" {name}={quote(value)}" for name, value in options.items())
            return f"{'heal' if heals else 'damage'} {aims} {amount}{given}" + (f" by {by}" if by else "")
        case SetCondition():
            return _condition_line(intent)
        case ClearCondition(aims, name):
            return f"clear {aims} {quote(name)}"
    return ""


def _condition_line(intent: SetCondition) -> str:
    name = quote(intent.name, always=intent.quoted)
    words = [f"condition {intent.targets} {name}"]
    if intent.value is not None:
        words.append(str(intent.value))
    if intent.rounds is not None:
        words.append(f"for {intent.rounds} round{'' if intent.rounds == 1 else 's'}")
    if intent.until:
        words.append(f"until {intent.until} of {intent.of}")
    if intent.by:
        words.append(f"by {intent.by}")
    if intent.secret:
        words.append("secret")
    return " ".join(words)
