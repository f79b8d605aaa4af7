"""What a seat may ask for, and the command that comes of it."""

import pytest

from systems.errors import Refused
from systems.visibility.acting import seat_command
from systems.visibility.viewer import Viewer
from tests.systems.fight import Fight

OKADO = Viewer(frozenset({"okado"}))


def asked(fight: Fight, line: str):
    return seat_command(fight.encounter, OKADO, line, "ask").command


def test_a_seat_names_its_own_character_as_the_doer_of_damage_and_nobody_elses():
    fight = Fight("atlantis", "add okado", "add tamsin", "add guard as Shade hidden", "start")
    command = asked(fight, "damage okado 3 by okado")
    assert (command.intent.by, command.line) == ("okado", "damage okado 3 by okado")
    assert asked(fight, "heal okado 3").line == "heal okado 3"
    said = set()
    for other in ("tamsin", "shade", "shade_h1"):
        with pytest.raises(Refused) as refused:
            asked(fight, f"damage okado 3 by {other}")
        said.add(str(refused.value).replace(other, "…"))
    assert len(said) == 2, "of a hidden one no more is said than of nobody"
