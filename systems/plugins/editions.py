"""The editions of the contract between the program and games by other authors."""

from systems.contract.ruleset import CONTRACT, Ruleset
from systems.text import listed

# Modules of the first edition, each with the current place of its names.
_MOVED = {
    "systems.contract": "systems.contract.ruleset",
    "Action and Scene": "systems.contract.action",
    "Condition and Effect": "systems.contract.condition",
    "Sheet, Section and Templates": "systems.contract.sheet",
    "Meter, Mark, Figure and StatusWord": "systems.contract.display",
    "systems.outcome": "systems.contract.outcome",
    "systems.table": "systems.contract.table",
    "systems.fields": "systems.schema.fields",
    "read, replace and entry_named": "systems.schema.conversion",
    "systems.kinds": "systems.schema.types",
    "Wrong": "systems.errors",
    "systems.words and shown": "systems.text",
    "systems.values": "systems.frozen",
    "systems.dice": "systems.dice.sources",
}
_RENAMED = {"Gives": "GivenCondition", "Verb": "AmountAction", "kind= of an Action": "group="}


def what_moved() -> str:
    """Return one sentence that lists what has moved or been renamed since the first edition."""
    moved = listed(f"{old} → {new}" for old, new in _MOVED.items())
    renamed = listed(f"{old} is {new}" for old, new in _RENAMED.items())
    return (
        f"a game of the first edition declares Ruleset(contract={CONTRACT}) once it follows what moved: "
        f"{moved}; {renamed}; the page is systems/README.md"
    )


def edition_problem(game: Ruleset) -> str:
    """Return why a game of this edition cannot be played; "" for the current edition."""
    if game.contract == CONTRACT:
        return ""
    if type(game.contract) is int and game.contract > CONTRACT:
        return f"it declares contract={game.contract}, and this program knows {CONTRACT}; update the program"
    return what_moved()


def is_of_an_older_edition(error: BaseException) -> bool:
    """Return whether a game failed to load because it imports something that has moved."""
    return isinstance(error, ImportError) and (error.name or "").partition(".")[0] == "systems"
