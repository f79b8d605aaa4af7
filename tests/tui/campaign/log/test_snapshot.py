"""A bookmark saves the replay of a long log, and the fight is the same with and without it."""

import os
import random
import shutil
import subprocess
import sys
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import systems
from systems.encounter.serialize import plain
from systems.encounter.timeline import Timeline
from systems.errors import Misread, Refused, Wrong
from tests.command import PREPARED, ROOT, sample
from tests.laws import THOROUGH
from tui.campaign.log import file as log_file
from tui.campaign.log import snapshot as bookmark
from tui.campaign.log.cache import NAME
from tui.campaign.log.file import read_log
from tui.session.opening import OpenEncounter, open_fight

GATE = "okado-at-the-gate"
LINES = (
    "next", "next", "next", "attack 1", "attack 2", "damage 1 2", "damage 2 1", "heal 1 1", "note x",
    "condition 1 prone for 1 round", "clear 1 prone", "delay", "back", "undo", "undo 3", "redo", "redo 2",
    "remove 3", "hide 2", "initiative 1 9",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_file, "_WORTH_CACHING", 3)
    monkeypatch.setattr(log_file, "_MUCH", 2)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return sample(tmp_path, GATE)


def log_of(path: Path) -> Path:
    return path / "encounters" / PREPARED[path.name] / "log.toml"


def opened(path: Path) -> OpenEncounter:
    return open_fight(path, PREPARED[path.name], seed=1)


def played(path: Path, *lines: str) -> None:
    """Open a fight, carry out the lines, and close it."""
    fight = opened(path)
    for line in lines:
        with suppress(Refused, Misread, Wrong):
            fight.session.do(line)
    fight.close()


def found(fight: OpenEncounter) -> dict[str, Any]:
    """Return the whole state of a fight, in the order of its tables."""
    session = fight.session
    return {
        "plain": repr(plain(session.encounter)),
        "encounter": session.encounter,
        "events": list(session.log.events),
        "standing": session.log.standing,
        "undone": session.log.undone,
        "curves": session.curves.points(session.log),
    }


def looked_at(path: Path, *, bookmarked: bool) -> dict[str, Any]:
    """Return the state of the fight as a read-only session loads it."""
    fight = open_fight(path, PREPARED[path.name], write=False)
    assert fight.bookmark is not None
    assert (fight.bookmark.known.count > 0) is bookmarked
    return found(fight)


def without(path: Path) -> dict[str, Any]:
    """Return the state of the fight loaded without its cache; then restore the cache."""
    cache = log_of(path).with_name(NAME)
    held = cache.read_bytes()
    cache.unlink()
    seen = looked_at(path, bookmarked=False)
    cache.write_bytes(held)
    assert seen["curves"] == Timeline().points(open_fight(path, PREPARED[path.name], write=False).session.log)
    return seen


@pytest.mark.parametrize("name", PREPARED)
def test_a_fight_is_the_same_with_and_without_a_bookmark(tmp_path: Path, name: str) -> None:
    path, chance = sample(tmp_path, name), random.Random(name)
    played(path, "start", "next")
    for _ in range(20 if THOROUGH else 4):
        played(path, *chance.choices(LINES, k=12))
        assert looked_at(path, bookmarked=True) == without(path)


def test_later_events_are_replayed_on_top_of_the_bookmark(path: Path) -> None:
    played(path, "start", "damage 1 3", "next", "undo")
    cache = log_of(path).with_name(NAME)
    held = cache.read_bytes()
    played(path, "redo", "damage 1 1", "next", "undo 2")
    cache.write_bytes(held)
    seen = looked_at(path, bookmarked=True)
    assert len(seen["events"]) == 8
    assert seen == without(path)


def test_everything_can_be_undone_and_redone_across_restarts(path: Path) -> None:
    opening = plain(opened_and_closed(path).session.encounter)
    played(path, "start", *["damage 1 1", "next", "heal 1 1"] * 4)
    fight = opened(path)
    there, standing = plain(fight.session.encounter), fight.session.log.standing
    fight.session.do(f"undo {len(standing) - 5}")
    fight.close()
    played(path, *["undo"] * 5)
    fight = opened(path)
    assert fight.bookmark is not None
    assert fight.bookmark.known.count == len(fight.session.log.events)
    assert plain(fight.session.encounter) == opening
    fight.session.do("redo 4")
    fight.close()
    played(path, f"redo {len(standing) - 4}")
    fight = opened(path)
    assert (plain(fight.session.encounter), fight.session.log.standing) == (there, standing)
    fight.close()


def opened_and_closed(path: Path) -> OpenEncounter:
    fight = opened(path)
    fight.close()
    return fight


def test_a_changed_opening_is_replayed_from_its_beginning(path: Path) -> None:
    played(path, "start", "damage guard-1 3", "next")
    opening = log_of(path).with_name("opening.toml")
    text = opening.read_text("utf-8")
    opening.write_text(text.replace("melee = 53", "melee = 54", 1), "utf-8")
    seen = looked_at(path, bookmarked=False)
    okado = next(one for one in seen["encounter"] if one.id == "okado")
    assert okado.sheet.abilities["melee"] == 54
    # Even if the change has no effect, since that is not checked.
    opening.write_text(f"{text}\n# a comment\n", "utf-8")
    assert looked_at(path, bookmarked=False) == without(path)


def test_the_next_start_of_the_program_uses_the_bookmark(path: Path) -> None:
    played(path, "start", "damage guard-1 3", "next")
    code = (
        "import sys; from pathlib import Path; from tui.session.opening import open_fight; "
        "print(open_fight(Path(sys.argv[1]), write=False).bookmark.known.count)"
    )
    # Each of them orders sets differently.
    for seed in ("1", "2", "3"):
        words = [sys.executable, "-c", code, str(path)]
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        assert subprocess.run(words, env=environment, capture_output=True, check=True).stdout == b"3\n"


def test_a_changed_program_replays_from_the_beginning(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played(path, "start", "damage guard-1 3", "next")
    assert looked_at(path, bookmarked=True)
    files = bookmark._files
    for where, at in product(("systems", "atlantis", "campaign"), (1, 2, 3)):

        def changed(folder: Path, where: str = where, at: int = at) -> Any:
            first, *rest = files(folder)
            by = folder.name == where
            return [tuple(one + by if here == at else one for here, one in enumerate(first)), *rest]

        monkeypatch.setattr(bookmark, "_files", changed)
        looked_at(path, bookmarked=False)
    monkeypatch.setattr(bookmark, "_files", lambda folder: list(files(folder))[1:])
    looked_at(path, bookmarked=False)


def test_a_program_that_was_replaced_while_it_ran_leaves_no_bookmark_for_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "systems"
    shutil.copytree(Path(systems.__file__).parent, home)
    monkeypatch.setattr(systems, "__file__", str(home / "__init__.py"))
    early, late = sample(tmp_path / "early", GATE), sample(tmp_path / "late", GATE)
    played(early, "start", "next", "next")
    (home / "encounter.py").write_text("# another program\n", "utf-8")
    played(late, "start", "next", "next")
    for path in (early, late):
        looked_at(path, bookmarked=True)
    # The new program starts.
    bookmark._files.cache_clear()
    for path in (early, late):
        looked_at(path, bookmarked=False)


def test_a_program_outside_a_folder_writes_and_reads_no_bookmark(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nowhere(folder: Path) -> Any:
        raise NotADirectoryError(folder)

    played(path, "start", "next", "next")
    monkeypatch.setattr(bookmark, "_files", nowhere)
    looked_at(path, bookmarked=False)
    played(path, "next", "next", "next")
    assert read_log(log_of(path)).cached.extra is None
    assert looked_at(path, bookmarked=False) == without(path)


def test_a_log_that_was_cut_short_is_replayed_from_its_opening(path: Path) -> None:
    played(path, "start", *["damage 1 1"] * 8)
    data = log_of(path).read_bytes()
    cut = data.rfind(b"[[event]]")
    log_of(path).write_bytes(data[:cut])
    assert len(looked_at(path, bookmarked=False)["events"]) == 8
    log_of(path).write_bytes(data + b"\n[[event]]\nn = 10\n")
    assert len(looked_at(path, bookmarked=True)["events"]) == 9


def test_a_bookmark_that_would_not_restore_the_fight_is_not_written(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    to_parts = bookmark.to_parts

    def forgetful(encounter: Any) -> Any:
        parts = to_parts(encounter)
        return {**parts, "": {**parts[""], "round": 7}}

    monkeypatch.setattr(bookmark, "to_parts", forgetful)
    played(path, "start", "next", "next")
    assert read_log(log_of(path)).cached.end.n == 3
    assert read_log(log_of(path)).cached.extra is None


def test_leaving_after_few_events_writes_no_bookmark_unless_the_opening_changed(path: Path) -> None:
    played(path, "start", "next", "next")
    cache = log_of(path).with_name(NAME)
    held = cache.read_bytes()
    played(path, "next")
    assert cache.read_bytes() == held
    opening = log_of(path).with_name("opening.toml")
    opening.write_text(opening.read_text("utf-8") + "\n", "utf-8")
    played(path)
    assert cache.read_bytes() != held
    looked_at(path, bookmarked=True)


def test_undo_works_without_the_cache_of_a_bookmark(path: Path) -> None:
    played(path, "start", "damage 1 3", "next")
    played(path, "damage 1 2", "next")
    log_of(path).with_name(NAME).unlink()
    fight = opened(path)
    fight.session.do("undo 5")
    with pytest.raises(Refused):
        fight.session.do("undo")
    fight.close()
