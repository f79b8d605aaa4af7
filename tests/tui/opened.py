"""The program with a copy of a sample campaign, for the tests of the screens that need files."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.tui.pilot import running
from tests.tui.table import Play
from tui.app import AffrayApp
from tui.session.opening import open_fight

SAMPLES = Path(__file__).parents[2] / "campaigns" / "samples"
OKADO = "okado-at-the-gate"


def copied(folder: Path, name: str = OKADO) -> Path:
    """A copy of a sample in a folder of its own, played today whatever the age of the sample's files."""
    return Path(shutil.copytree(SAMPLES / name, folder / "campaigns" / name, copy_function=shutil.copyfile))


def opened(folder: Path, encounter: str | None = None, name: str = OKADO) -> AffrayApp:
    """The program on a fresh copy of a sample."""
    path = folder / "campaigns" / name
    fight = open_fight(path if path.exists() else copied(folder, name), encounter, seed=3)
    app = AffrayApp(campaign=fight.campaign, session=fight.session)
    app.table.fight, app.table.folder = fight, str(folder / "campaigns")
    return app


@asynccontextmanager
async def playing_sample(
    folder: Path, name: str, *lines: str, size: tuple[int, int] = (110, 30)
) -> AsyncIterator[Play]:
    """The program on a fresh copy of a sample, once these lines are carried out."""
    app = opened(folder, None, name)
    assert app.table.session is not None
    for line in lines:
        app.table.session.do(line)
    async with running(app, size) as pilot:
        yield Play(app, pilot)
