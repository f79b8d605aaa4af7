"""Offers at the end of another combatant's turn, such as legendary actions."""

from collections.abc import Iterator

from systems.contract.action import Scene
from systems.contract.outcome import Ask
from systems.contract.reaction import TURN_END, Reaction
from systems.schema.fields import NoOptions
from systems.simple.house import House
from systems.simple.sheet import Counter, Sheet
from systems.text import listed, plain_word


def _offered(sheet: Sheet) -> tuple[Counter, ...]:
    """Return the offered counters that are not empty; effects that spend one are offered by themselves."""
    spent = {plain_word(line.spends) for line in sheet.effects if line.spends and line.offered}
    return tuple(
        counter
        for counter in sheet.counters
        if counter.offered and counter.now and plain_word(counter.name) not in spent
    )


def _asks(scene: Scene[Sheet, NoOptions, House]) -> tuple[Ask, ...]:
    """Return offers for the weapons that use the counter, or for the counter alone without any."""
    return tuple(ask for counter in _offered(scene.actor) for ask in _uses(scene, counter))


def _uses(scene: Scene[Sheet, NoOptions, House], counter: Counter) -> Iterator[Ask]:
    left, name = f"{counter.name}, {counter.now} left", scene.actor_name
    weapons = [
        weapon.name
        for weapon in scene.actor.weapons
        if weapon.counter and plain_word(weapon.counter) == plain_word(counter.name)
    ]
    for weapon in weapons:
        yield Ask(f"{name} may use {weapon} now ({left}).", "attack", options={"weapon": weapon})
    if not weapons:
        yield Ask(f"{name} may act now ({left}).", "spend", options={"counter": counter.name})


def _menu(sheet: Sheet, house: House) -> str:
    """Return the counters that pay for it: `legendary actions, 3 left`."""
    return listed(f"{counter.name}, {counter.now} left" for counter in _offered(sheet))


EXTRA_ACTION = Reaction(
    "extra_action",
    "Use a counter at the end of another combatant's turn.",
    TURN_END,
    _asks,
    whose="others",
    ready=lambda sheet, house: bool(_offered(sheet)),
    quiet=True,
    menu=_menu,
)
