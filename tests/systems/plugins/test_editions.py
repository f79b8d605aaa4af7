"""Games of another edition of the contract: one sentence lists the moved names."""

import sys
import types

import pytest

from systems import NoSuchGame, load
from systems.frozen import evolve
from systems.plugins import loading
from tests.systems.gutterlight import RULESET
from tests.systems.plugins.outsider import brought

FIRST_EDITION = """
from systems import contract
from systems.contract import Action, Ruleset, Verb
from systems.fields import declare, whole
"""


def loads(source: str):
    """Load an entry point that imports a module with this source."""

    def load_module() -> None:
        exec(compile(source, "old_game.py", "exec"), types.ModuleType("old_game").__dict__)

    return load_module


def refused(monkeypatch, entry) -> str:
    monkeypatch.setattr(loading, "_others", lambda: {"sixth": entry})
    load.cache_clear()
    with pytest.raises(NoSuchGame) as error:
        load("sixth")
    load.cache_clear()
    sys.modules.pop("old_game", None)
    return str(error.value)


@pytest.mark.parametrize(
    "source", [FIRST_EDITION, "from systems.fields import whole", "from systems.outcome import Gives"]
)
def test_an_import_of_a_moved_name_gets_its_new_place(source, monkeypatch):
    said = refused(monkeypatch, loads(source))
    assert said.startswith("the game sixth cannot be loaded: ")
    for words in (
        "Ruleset(contract=2)",
        "systems.fields → systems.schema.fields",
        "systems.contract → systems.contract.ruleset",
        "Gives is GivenCondition",
        "Verb is AmountAction",
        "kind= of an Action is group=",
    ):
        assert words in said
    assert len(said) < 990
    assert "\n" not in said


def test_any_other_import_error_gets_its_own_sentence(monkeypatch):
    said = refused(monkeypatch, loads("import nowhere_to_be_found"))
    assert (
        said == "the game sixth cannot be loaded: ModuleNotFoundError: No module named 'nowhere_to_be_found'"
    )


def test_a_game_without_an_edition_is_of_the_first(monkeypatch):
    said = refused(monkeypatch, lambda: evolve(RULESET, contract=1))
    assert said.startswith("the game sixth cannot be played: a game of the first edition")


def test_a_game_of_a_later_edition_asks_for_a_newer_program(monkeypatch):
    said = refused(monkeypatch, lambda: evolve(RULESET, contract=3))
    assert said.endswith("it declares contract=3, and this program knows 2; update the program")


def test_a_game_of_this_edition_is_played(monkeypatch):
    assert brought(monkeypatch, RULESET).contract == 2
