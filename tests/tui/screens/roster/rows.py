"""Finding a file of the roster and moving to a row of its sheet."""

from pathlib import Path

from tui.screens.roster.screen import RosterScreen


def sheet_file(folder: Path, kind: str) -> Path:
    return folder / "campaigns" / "okado-at-the-gate" / "roster" / f"{kind}.toml"


async def to_row(pilot, screen: RosterScreen, *path: str | int) -> None:
    """Down to a row of the form."""
    while screen.form.current.path != path:
        before = screen.form.cursor
        await pilot.press("down")
        assert screen.form.cursor != before, f"no row {path}"
