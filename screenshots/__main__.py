"""Press keys in the real program on copies of the sample campaigns, and write pictures of its screen.

The pictures are the same every time: fixed dice, a fixed clock, and folders of its own.
"""

import argparse
import asyncio
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from screenshots import ten_keys
from screenshots.moving import Frame, moving_picture
from screenshots.scenes import SCENES, Scene

if TYPE_CHECKING:
    from tui.app import AffrayApp

HERE = Path(__file__).parent
SAMPLES = HERE.parent / "campaigns" / "samples"
CLOCK = "2026-03-14T20:14:00+00:00"
PLAYED = 1_773_519_240  # the same moment, for the files
_NAMES = (*(scene.name for scene in SCENES), ten_keys.NAME)
_FONT_FACE = re.compile(r"@font-face\s*\{[^}]*\}\s*")


def main() -> int:
    wanted = _arguments().parse_args().picture or _NAMES
    with tempfile.TemporaryDirectory() as folder:
        _own_world(Path(folder))
        scenes = [scene for scene in SCENES if scene.name in wanted]
        written = [path for scene in scenes for path in asyncio.run(_photographed(scene, Path(folder)))]
        if ten_keys.NAME in wanted:
            written.append(_write_moving_picture(Path(folder)))
    size = sum(path.stat().st_size for path in written)
    print(f"{len(written)} pictures in {HERE}, {size / 1_000_000:.1f} MB")
    return 0


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m screenshots",
        description="Take pictures of the running program, in this folder, replacing older ones. "
        f"The pictures: {', '.join(_NAMES)}.",
    )
    parser.add_argument(
        "picture", nargs="*", type=_known, metavar="PICTURE", help="the pictures to take; by default all"
    )
    return parser


def _known(name: str) -> str:
    if name not in _NAMES:
        raise argparse.ArgumentTypeError(f"there is no picture {name!r}, only {', '.join(_NAMES)}")
    return name


def _own_world(home: Path) -> None:
    """Set a home, time zone and language that are the same on every machine."""
    os.environ["HOME"] = str(home)
    for kind in ("CONFIG", "DATA", "STATE", "CACHE"):
        os.environ[f"XDG_{kind}_HOME"] = str(home / kind.lower())
    os.environ["TZ"] = "UTC"
    os.environ.pop("NO_COLOR", None)
    os.environ["COLORTERM"] = "truecolor"
    if hasattr(time, "tzset"):
        time.tzset()


def _copies(home: Path) -> Path:
    """Return the folder of fresh copies of all samples, all played at the same moment."""
    folder = home / "campaigns"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(SAMPLES, folder, ignore=shutil.ignore_patterns(".*"))
    _all_played(folder)
    return folder


def _all_played(folder: Path) -> None:
    """Give all files the same time."""
    for path in folder.rglob("*"):
        os.utime(path, (PLAYED, PLAYED))


async def _photographed(scene: Scene, home: Path) -> list[Path]:
    """Write the pictures of one scene in all its sizes; return their paths."""
    found: list[Path] = []
    for size in scene.sizes:
        svg = await _svg(scene, _copies(home), size)
        found += _written(f"{scene.name}-{size[0]}x{size[1]}", svg)
    return found


async def _svg(scene: Scene, folder: Path, size: tuple[int, int]) -> str:
    """Return the screen after the last key of a scene."""
    return (await _svgs(scene, folder, size))[-1]


async def _svgs(scene: Scene, folder: Path, size: tuple[int, int]) -> list[str]:
    """Return the screen before the first key of a scene, and after each key."""
    from tui.app import AffrayApp
    from tui.screens.campaigns.screen import BETWEEN_GAMES, CampaignsScreen
    from tui.screens.initiative import AFTER_FIRST_PICTURE
    from tui.session.opening import open_fight

    encounter = scene.encounter or _finished(folder / scene.campaign)
    fight = open_fight(folder / scene.campaign, encounter, seed=scene.seed)
    fight.session.now = lambda: CLOCK
    try:
        for line in scene.commands:
            fight.session.do(line)
        _all_played(folder)
        app = AffrayApp(campaign=fight.campaign, session=fight.session)
        app.table.fight, app.table.folder = fight, str(folder)
        async with app.run_test(size=size) as pilot:
            # The recap so far of a wide screen appears after the first picture.
            await pilot.pause(2 * AFTER_FIRST_PICTURE)
            await pilot.pause()
            svgs = [_exported(app)]
            for key in scene.keys:
                await pilot.press(key)
                await pilot.pause()
                svgs.append(_exported(app))
            while isinstance(app.screen, CampaignsScreen) and app.screen.list.untitled:
                # The titles of the games appear one by one.
                await pilot.pause(BETWEEN_GAMES)
                svgs[-1] = _exported(app)
            return svgs
    finally:
        fight.close()


def _exported(app: "AffrayApp") -> str:
    return _FONT_FACE.sub("", app.export_screenshot(title="affray"))


def _write_moving_picture(home: Path) -> Path:
    """Write the moving picture of the fight in ten keys of README.md; return its path."""
    steps = ten_keys.keys_and_captions(HERE.parent / "README.md")
    keys = tuple(ten_keys.textual_key(key) for key, _ in steps)
    scene = Scene(ten_keys.NAME, keys, ten_keys.SAMPLE, ten_keys.ENCOUNTER, commands=(), seed=ten_keys.SEED)
    svgs = asyncio.run(_svgs(scene, _copies(home), ten_keys.SIZE))
    shown = [("", ten_keys.BEFORE), *steps]
    frames = [Frame(svg, key, words) for svg, (key, words) in zip(svgs, shown, strict=True)]
    path = HERE / f"{ten_keys.NAME}.svg"
    path.write_text(moving_picture(frames), encoding="utf-8")
    return path


def _finished(campaign: Path) -> str | None:
    """Return the id of a campaign's finished encounter, which has the most to show."""
    from tui.campaign.encounters import encounters_of

    found, _ = encounters_of(campaign)
    return next((info.id for info in found.values() if info.state == "finished"), None)


def _written(name: str, svg: str) -> Iterator[Path]:
    """Write a picture as SVG, and as PNG if the converter is installed; yield the paths."""
    path = HERE / f"{name}.svg"
    path.write_text(svg, encoding="utf-8")
    yield path
    try:
        import resvg_py
    except ImportError:
        print(f"{name}.png is left out: resvg-py is not installed", file=sys.stderr)
        return
    # The converter only uses installed fonts. This one is on nearly every machine.
    drawn = svg.replace("Fira Code", "DejaVu Sans Mono")
    picture = HERE / f"{name}.png"
    picture.write_bytes(bytes(resvg_py.svg_to_bytes(svg_string=drawn)))
    yield picture


if __name__ == "__main__":
    sys.exit(main())
