"""Test that each import contract refuses an import that it forbids."""

from copy import deepcopy
from pathlib import Path

import grimp
import pytest
from importlinter.application import use_cases
from importlinter.configuration import configure
from importlinter.contracts.acyclic_siblings import AcyclicSiblingsContract
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.independence import IndependenceContract
from importlinter.contracts.layers import LayersContract
from importlinter.contracts.protected import ProtectedContract
from importlinter.domain.contract import Contract

from systems.plugins.loading import SUBSYSTEMS

ROOT = Path(__file__).resolve().parents[2]
TYPES: dict[str, type[Contract]] = {
    "acyclic_siblings": AcyclicSiblingsContract,
    "forbidden": ForbiddenContract,
    "independence": IndependenceContract,
    "layers": LayersContract,
    "protected": ProtectedContract,
}
# For each contract, an import from a module to another that it must refuse.
FORBIDDEN = {
    "The rules know no screen, file, clock, network or process": ("systems.text", "pathlib"),
    "The subsystems of the rules stand one above the other": (
        "systems.dice.parser",
        "systems.encounter.model",
    ),
    "A game imports what it declares itself with, and nothing that runs it": (
        "systems.atlantis.sheet",
        "systems.commands.dispatcher",
    ),
    "Games know nothing of one another": ("systems.atlantis.sheet", "systems.xcom.sheet"),
    "Nothing imports a game": ("tui.app", "systems.atlantis.sheet"),
    "The folders of the program stand one above the other": ("tui.prompts.line", "tui.app"),
    "A screen knows no other screen": ("tui.screens.log.screen", "tui.screens.roster.editing"),
    "What stands beside the folders imports none of them": ("tui.terminal.symbols", "tui.services"),
    "Files, fights, messages and rows know no Textual": ("tui.display.text", "textual"),
    "One line at a time is played without screens": ("tui.linear.program", "textual"),
    "Rows are made from values, and not from an open fight": ("tui.display.export", "tui.session.session"),
    "Prompts list what a source gives them, and open neither fight nor file": (
        "tui.prompts.line",
        "tui.session.session",
    ),
    "A seat's own program opens neither fight nor file": ("tui.seats.app", "tui.session.session"),
    "Seats and their views have no danger and no plan": ("tui.seats.app", "systems.forecast.found"),
    "No circle between folders, nor between the files of one": ("tui.display.text", "tui.display.card"),
}


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("systems", "tui", include_external_packages=True)


def contracts() -> dict[str, Contract]:
    configure()
    options = use_cases.read_user_options(str(ROOT / "pyproject.toml"))
    return {
        given["name"]: TYPES[given["type"]](
            name=given["name"], session_options=options.session_options, contract_options=given
        )
        for given in options.contracts_options
    }


def test_every_contract_refuses_a_forbidden_import(graph: grimp.ImportGraph) -> None:
    known = contracts()
    assert set(known) == set(FORBIDDEN)
    kept = []
    for name, (importer, imported) in FORBIDDEN.items():
        changed = deepcopy(graph)
        assert {importer, imported} <= changed.modules
        changed.add_import(importer=importer, imported=imported)
        if known[name].check(changed, verbose=False).kept:
            kept.append(name)
    assert kept == []


def test_the_contracts_about_games_name_every_game() -> None:
    games = {
        f"systems.{init.parent.name}"
        for init in (ROOT / "systems").glob("*/__init__.py")
        if init.parent.name not in SUBSYSTEMS
    }
    independent = contracts()["Games know nothing of one another"].contract_options["modules"]
    assert set(independent) == games
