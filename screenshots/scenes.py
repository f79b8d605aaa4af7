"""The scenes to photograph: the open fight, and the keys that lead to the picture."""

from systems.frozen import frozen

SIZES = ((80, 24), (140, 40))
WIDE = SIZES[1:]

OKADO = "okado-at-the-gate"
# One round at the gate, from the prepared fight: after it, every combatant has something to show.
FIRST_ROUND = (
    "start",
    "attack guard-1 dice=15",
    "attack guard-1 dice=12",
    "next",
    "attack guard-2 distance=10 dice=14",
    "next",
    "attack okado dice=9",
    "next",
    "attack okado dice=18",
    "next",
    "condition guard-1 prone for 2 rounds",
    "note the gate gives way on one side",
)


@frozen
class Scene:
    """One picture. `commands` are carried out before the keys are pressed, with the dice of `seed`."""

    name: str
    keys: tuple[str, ...] = ()
    campaign: str = OKADO
    encounter: str | None = "north-gate"
    commands: tuple[str, ...] = FIRST_ROUND
    sizes: tuple[tuple[int, int], ...] = SIZES
    seed: int = 7


def _game(campaign: str) -> Scene:
    """Return the scene of a sample's finished fight, at its end."""
    return Scene(f"game-{campaign}", (), campaign, "", (), WIDE)


SCENES = (
    Scene("initiative"),
    Scene("target", ("a",)),
    Scene("odds", ("a", "ctrl+o")),
    Scene("plan", ("M",), commands=(*FIRST_ROUND, "next", "next")),
    Scene("why", ("a", "2", "enter", "y")),
    Scene("log", ("L", *("up",) * 16, "enter"), encounter="bridge", commands=()),
    Scene("roster", ("R", "enter", *("down",) * 4)),
    Scene("status", ("S",)),
    Scene("chooser", ("C",)),
    Scene("help", ("question_mark",), sizes=SIZES[:1]),
    _game("the-thin-place"),
    _game("the-bone-court"),
    _game("the-goblin-ford"),
    _game("the-toll-road"),
    _game("rooftop-watch"),
)
