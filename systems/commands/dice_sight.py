"""Which dice of a roll players may know of."""

from collections.abc import Mapping

from systems.encounter.model import Encounter


class DiceSight:
    """What players may know of the dice of one roll: `people` are its combatants, as role -> id."""

    def __init__(self, encounter: Encounter, people: Mapping[str, str], is_secret: bool) -> None:
        self._encounter, self._people, self._is_secret = encounter, people, is_secret

    def stream_of(self, of: str) -> str:
        """Return the name of the dice stream for a die: a hidden combatant's own, else its owner's.

        So hidden combatants change no die that players see. Streams of visible combatants are named by their
        names, which do not depend on hidden combatants either.
        """
        if unseen := self._unseen(of):
            return f"hidden {unseen[0]}"
        if self._is_secret:
            return "secret"
        known = self._encounter.combatants
        return f"seen {known[of].name}" if of in known else of

    def conceals(self, of: str) -> bool:
        """Return whether players may not know of a die or a choice."""
        return self._is_secret or bool(self._unseen(of))

    def _unseen(self, of: str) -> list[str]:
        everybody = (*self._people.values(), of)
        return [who for who in everybody if is_out_of_sight(self._encounter, who)]


def is_out_of_sight(encounter: Encounter, who: str) -> bool:
    known = encounter.combatants
    return who in known and not known[who].in_sight
