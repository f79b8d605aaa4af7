"""The sentences that attacks and powers share."""

from systems.contract.marked_text import as_change, as_status
from systems.srd5.body import Vitals
from systems.srd5.marks import begins
from systems.srd5.saves import SaveResult
from systems.srd5.words import WithEffects
from systems.text import as_sentence, listed


def fell_words(fell: str) -> str:
    """Return the words for a fall, such as `, unconscious`."""
    match fell:
        case "none":
            return ""
        case "fortitude":
            return ", and undead fortitude keeps it at 1 hit point"
        case "knocked_out":
            return f", {as_status('unconscious', 'knocked out')}"
    return f", {as_status('dying' if fell == 'unconscious' else fell, fell)}"


def gave_words(name: str, gave: tuple[str, ...]) -> str:
    """Return the sentence about new conditions, or ""."""
    words = [begins(word) for word in gave]
    states = [word.removeprefix("is ") for word in words if word.startswith("is ")]
    parts = [f"is now {listed(states)}"] if states else []
    parts += [word for word in words if not word.startswith("is ")]
    return f"{name} {listed(parts)}." if parts else ""


def reminders(effects: WithEffects, *moments: str) -> str:
    """Return the reminders of effects as a sentence, or ""."""
    return " " + as_sentence("; ".join(words)) if (words := effects.told(*moments)) else ""


def body_words(before: Vitals, after: Vitals) -> str:
    """Return the change of hit points for a sentence, and the death saves that damage at 0 fails."""
    words = as_change("hp", before.hp, after.hp)
    words += as_change("temporary hp", before.temp_hp, after.temp_hp)
    failed = after.death_failures - before.death_failures
    if failed <= 0 or before.hp:
        return words
    how_many = ("a failed death save", "two failed death saves", "three failed death saves")[failed - 1]
    return f"{words}, {how_many} ({after.death_successes} passed, {after.death_failures} failed)"


def save_words(name: str, save: str, saved: SaveResult) -> str:
    """Return the sentence about a save."""
    how = "passes" if saved.passed else "fails"
    resisted = ", with a legendary resistance" if saved.resisted else ""
    return f"{name} {how} the {save.capitalize()} save{resisted}."


def told_words(words: tuple[str, ...]) -> str:
    """Return what followed as sentences, or ""."""
    return "".join(f" {as_sentence(each)}" for each in words)
