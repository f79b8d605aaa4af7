"""Repair a campaign: for each problem that `check` finds, propose what could be done about it.

Everything is tried on a copy of the campaign first, so that repairs can build on each other and a list of
them costs nothing. Only then are the files replaced, each with its original kept under its name and
`.before-repair-N`.
"""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from systems.frozen import frozen
from tui.campaign.archive.backup import files_of
from tui.campaign.problems import FileProblem, NotSaved, disk_words
from tui.campaign.repair.check import check
from tui.campaign.repair.choice import RepairChoice, free
from tui.campaign.repair.fields import field_choices
from tui.campaign.repair.log import copy_choices, log_choices
from tui.campaign.repair.text import name_choices, text_choices
from tui.campaign.toml.files import write_atomic

_MOST_ROUNDS = 60  # a file that cannot be parsed shows one problem at a time


@frozen
class Repair:
    """A problem and its possible repairs; the first one loses the least."""

    problem: FileProblem
    choices: tuple[RepairChoice, ...]


@frozen
class Repaired:
    """The repairs done, one line each, the originals that were kept, and the remaining problems."""

    done: tuple[str, ...]
    kept: tuple[str, ...]
    left: tuple[FileProblem, ...]


Choose = Callable[[Repair], RepairChoice | None]


def repair(campaign: Path, choose: Choose, *, write: bool = True) -> Repaired:
    """Ask about every problem that can be repaired, and carry out the choices. Raises NotSaved.

    This program must hold the campaign's lock (`lock.take`). Without `write` nothing is changed.
    """
    with tempfile.TemporaryDirectory(prefix="affray-repair-") as scratch:
        copy = Path(scratch) / campaign.resolve().name
        before = _copied(campaign, copy)
        done, left = _repair_copy(copy, choose)
        kept: list[str] = []
        if write:
            after = {file: (copy / file).read_bytes() for file in files_of(copy)}
            kept = _write_back(campaign, before, after)
        return Repaired(tuple(done), tuple(kept), tuple(left))


def _copied(campaign: Path, copy: Path) -> dict[str, bytes]:
    """Copy the files of a campaign and return their bytes by name. Raises NotSaved."""
    found: dict[str, bytes] = {}
    try:
        for file in files_of(campaign):
            found[file] = (campaign / file).read_bytes()
            (copy / file).parent.mkdir(parents=True, exist_ok=True)
            (copy / file).write_bytes(found[file])
    except OSError as error:
        raise NotSaved(f"the campaign cannot be copied: {disk_words(error)}") from None
    return found


def _repair_copy(copy: Path, choose: Choose) -> tuple[list[str], list[FileProblem]]:
    """Repair the copy until only refused and unrepairable problems are left."""
    done: list[str] = []
    asked: set[FileProblem] = set()
    problems = check(copy)
    for _ in range(_MOST_ROUNDS):
        touched: set[str] = set()
        for problem in problems:
            if problem in asked or problem.file in touched:
                continue
            choices = tuple(proposals(copy, problem))
            if not choices:
                continue
            asked.add(problem)
            if chosen := choose(Repair(problem, choices)):
                for file, data in chosen.files.items():
                    _put(copy / file, data)
                    touched.add(file)
                touched.add(problem.file)
                done.append(f"{problem.file}: {chosen.says}")
        if not touched:
            break
        problems = check(copy)
    return done, problems


def _put(path: Path, data: bytes | None) -> None:
    if data is None:
        path.unlink()
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def proposals(campaign: Path, problem: FileProblem) -> Iterator[RepairChoice]:
    """Yield the possible repairs of one problem, the best first; none if only a person can decide."""
    file = problem.file
    if problem.code == "newer":
        return
    folder, _, name = file.rpartition("/")
    try:
        data = (campaign / file).read_bytes()
    except OSError:
        return
    if folder.startswith("encounters/") and name == "log.toml":
        yield from log_choices(campaign, problem, data)
    elif folder.startswith("encounters/") and name.casefold().startswith("log"):
        yield from copy_choices(campaign, problem, data)
    elif found := list(name_choices(campaign, problem, data)):
        yield from found
    else:
        yield from text_choices(problem, data) if not problem.field else ()
        yield from field_choices(campaign, problem, data) if problem.field else ()


def _write_back(campaign: Path, before: Mapping[str, bytes], after: Mapping[str, bytes]) -> list[str]:
    """Write the changes into the campaign, originals first; return the names of the originals."""
    changed = [file for file in {**after, **before} if before.get(file) != after.get(file)]
    kept: list[str] = []
    for file in changed:
        if file not in before:
            continue
        renamed = any(name not in before and data == before[file] for name, data in after.items())
        if file not in after and renamed:
            continue
        kept.append(free(campaign, file, "before-repair"))
        write_atomic(campaign / kept[-1], before[file])
    # Write new files first: whatever happens in between, nothing is missing.
    for file in sorted(changed, key=lambda one: (one in before, one)):
        if file in after:
            with suppress(OSError):
                (campaign / file).parent.mkdir(parents=True, exist_ok=True)
            write_atomic(campaign / file, after[file])
    for file in changed:
        if file not in after:
            try:
                (campaign / file).unlink()
            except OSError as error:
                raise NotSaved(f"{file} was not moved: {disk_words(error)}") from None
    return kept
