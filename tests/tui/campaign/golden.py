"""The golden campaign of the newest format, and how it is played.

After a change of the rules, `python -m tests.tui.campaign.golden` plays it again.
"""

import json
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from systems.dice.sources import DieRequest
from systems.encounter.events import Event
from tests.command import affray
from tui.campaign.formats import LOG_FORMAT
from tui.session.opening import open_fight

GOLDEN = Path(__file__).parents[2] / "golden"
CURRENT = f"format-{LOG_FORMAT}"
ENCOUNTER = "crossing"
LOG = f"encounters/{ENCOUNTER}/log.toml"
TIME = "2026-11-20T16:49:10+00:00"
# The typed lines, with the faces of their dice.
LINES: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("add wader x3", ()),
    ('add wader as "Big wader" hidden', ()),
    ("start", ()),
    ('note "they come" out of the reeds = danger', ()),
    ("note the water rises for all", ()),
    ("attack wader-1 by anna", (15,)),
    ("damage wader-1 7 by ferryman", ()),
    ("heal wader-1 3", ()),
    ("undo", ()),
    ("redo", ()),
    ("condition wader-1 prone for 2 rounds", ()),
    ("condition anna blessed 3 until end of wader-2", ()),
    ("condition ferryman marked", ()),
    ("condition big-wader cursed secret", ()),
    ("next", ()),
    ("next", ()),
    ("roll 2d6+3 for anna", (5, 4)),
    ("roll 4d6kh3 secret", (4, 5, 5, 2)),
    ("delay wader-3", ()),
    ("next", ()),
    ("return wader-3", ()),
    ("next", ()),
    ("back", ()),
    ("next", ()),
    ("reveal big-wader", ()),
    ("set anna abilities.melee 57", ()),
    ("count wader-2 life -18", ()),
    ("order wader-2 before anna", ()),
    ("order wader-1 30", ()),
    ('add ferryman as "Späher" in round 3 side=foes', ()),
    ("damage wader-1,wader-2 2d6 armour=yes", (2, 5)),
    ("undo 2", ()),
    ("redo", ()),
    ("hide ferryman", ()),
    ("remove wader-3", ()),
    ("clear ferryman marked", ()),
    ("next", ()),
    ("attack wader-2 modifier=5 by anna", (16,)),
    ("damage wader-2 40", ()),
    ("next", ()),
    ("next", ()),
    ("undo", ()),
    ("note it ends here", ()),
    ("end", ()),
)


def play(campaign: Path, lines: Iterable[tuple[str, Iterable[int]]] = LINES) -> list[Mapping[str, Any]]:
    """Play these lines in the encounter of a campaign, which has no log yet, and return the events."""
    fight = open_fight(campaign, ENCOUNTER)
    session = fight.session
    session.dice, session.now = "real", lambda: TIME
    events = []
    for line, faces in lines:
        attempt = session.begin(line, asks=True)
        left = list(faces)
        while isinstance(needs := attempt.run(), DieRequest):
            attempt.give(needs, left.pop(0))
        assert isinstance(needs, Event), (line, needs)
        assert not left, (line, left)
        events.append(session.keep(needs))
    fight.close()
    return events


def copy_without_log(folder: Path) -> Path:
    """Copy the golden campaign of the newest format into a folder, without its events."""
    campaign = Path(shutil.copytree(GOLDEN / CURRENT, folder / CURRENT))
    (campaign / LOG).unlink(missing_ok=True)
    return campaign


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        campaign = copy_without_log(Path(folder))
        for event in play(campaign):
            print(event.n, event.typed, "|", event.text)
        (GOLDEN / CURRENT / LOG).write_bytes((campaign / LOG).read_bytes())
        shown = affray("show", campaign, "--json", "--encounter", ENCOUNTER)
        text = json.dumps(json.loads(shown.out), indent=1, ensure_ascii=False)
        (GOLDEN / f"{CURRENT}.json").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
