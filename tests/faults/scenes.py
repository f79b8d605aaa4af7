"""Scenes to play while the disk fails, each on its campaign."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile, ZipFile

from systems.frozen import evolve, frozen
from tests.faults import edits
from tests.tui.campaign.examples import campaign as example

if TYPE_CHECKING:
    from tests.faults.points import Finding, Ran, Runner

CAMPAIGN = "docks"
SAMPLE = "okado-at-the-gate"
FIGHT = """\
start
attack guard-1 by okado
next
damage guard-1 4
undo
redo
condition guard-1 prone for 2 rounds
heal guard-1 2
next
undo 2
roll 2d6+3 for okado
note the tide turns
"""
SHORT = "attack guard-1 by okado\nnote after that\n"


def _docks(home: Path) -> None:
    path = example(home / "campaigns")
    # The program rolls the dice, so that there are no prompts.
    settings = path / "campaign.toml"
    settings.write_text(settings.read_text("utf-8").replace('dice = "real"', 'dice = "program"'), "utf-8")


def _begun(events: int) -> Callable[[Path], None]:
    """Return a function that makes a campaign whose fight has that many events."""

    def prepare(home: Path) -> None:
        from systems.codec.events import read_event
        from tui.campaign.log.blocks import HEADER, encode

        _docks(home)
        blocks, mark = [HEADER], 0
        for event in _events(events):
            block, mark = encode(read_event(event), mark)
            blocks.append(block)
        (home / "campaigns" / CAMPAIGN / "encounters/gate/log.toml").write_bytes(b"".join(blocks))

    return prepare


def _events(number: int) -> list[dict[str, Any]]:
    start = {
        "n": 1,
        "time": "2025-01-01T20:14:00+01:00",
        "who": "gm",
        "kind": "command",
        "round": 0,
        "turn": "",
        "command": "start",
        "typed": "start",
        "text": "The fight begins.",
        "changes": [
            {"who": "", "field": "order", "after": ["okado", "guard-1"]},
            {"who": "", "field": "round", "after": 1},
            {"who": "", "field": "turn", "after": "okado"},
            {"who": "", "field": "side", "after": "players"},
            {"who": "okado", "field": "begun", "after": 1},
        ],
    }
    notes = [
        {**start, "n": n, "command": "note", "round": 1, "typed": f"note {n}", "text": f"{n}.", "changes": []}
        for n in range(2, number + 1)
    ]
    return [start, *notes]


TORN = b'\n[[event]]\nn = 21\ntime = "2025-01-01T21:'


def _torn(home: Path) -> None:
    _begun(20)(home)
    log = home / "campaigns" / CAMPAIGN / "encounters/gate/log.toml"
    log.write_bytes(log.read_bytes() + TORN)


def _left_lock(home: Path) -> None:
    """Leave the lock of a process that has died; it is longer than our own lock."""
    _begun(5)(home)
    from tui.campaign.lock import myself

    left = evolve(myself(), pid=2**22 - 7, user="anna-with-a-very-long-name" * 3)
    (home / "campaigns" / CAMPAIGN / ".lock").write_text(left.lines(), encoding="utf-8")


def _nothing(home: Path) -> None:
    del home


def _check_fight(*arguments: Any) -> None:
    from tests.faults.points import check_fight

    check_fight(*arguments)


def _check_new(
    scene: "Scene", home: Path, ran: "Ran", killed: bool, runner: "Runner", found: "Finding"
) -> None:
    """Check that a new campaign is complete, or does not exist and can still be created."""
    del killed
    made = "created " in ran.out
    folder = home / "campaigns" / scene.campaign
    there = (folder / "campaign.toml").exists()
    if made and not there:
        found.lost = 1
        found.wrong.append("the campaign that was made is not there")
    if ran.status == 0 and not made:
        found.wrong.append("status 0, and nothing said")
    if there:
        checked = runner.run(home, ["check", scene.campaign])
        if checked.status:
            found.wrong.append(f"a campaign with problems: {checked.out} {checked.err}")
        on = runner.run(home, ["run", scene.campaign], "note it begins\n")
        if on.status or not on.answers or not on.answers[0]["ok"]:
            found.wrong.append(f"it cannot be played: {on}")
    else:
        again = runner.run(home, ["new", scene.campaign, "--system", "atlantis"])
        if again.status:
            found.wrong.append(f"it cannot be made any more: {again.err.strip()}")


def _check_edits(
    scene: "Scene", home: Path, ran: "Ran", killed: bool, runner: "Runner", found: "Finding"
) -> None:
    """Check that each acknowledged step has changed its file, and a failed step has changed nothing."""
    path = home / "campaigns" / scene.campaign
    states = _edited_states(scene, home, runner)
    steps = list(edits.STEPS)
    answers = ran.answers
    # The possible contents of each file: after its last acknowledged step, or after the step in progress.
    expected = {file: {states[0].get(file)} for file in edits.FILES.values()}
    for number, answer in enumerate(answers):
        file = edits.FILES[answer["step"]]
        if answer["ok"]:
            expected[file] = {states[number + 1].get(file)}
        elif "may contain it" in answer["error"]:
            expected[file] |= {states[number + 1].get(file)}
    if killed and len(answers) < len(steps):
        file = edits.FILES[steps[len(answers)]]
        expected[file] |= {states[len(answers) + 1].get(file)}
    for file, wanted in expected.items():
        data = (path / file).read_bytes() if (path / file).exists() else None
        if data not in wanted:
            found.wrong.append(f"{file} is {data!r}, none of {wanted}")
    checked = runner.run(home, ["check", scene.campaign])
    if checked.status:
        found.wrong.append(f"a campaign with problems: {checked.out} {checked.err}")
    on = runner.run(home, ["run", scene.campaign], "note it goes on\n")
    if on.status or not on.answers or not on.answers[0]["ok"]:
        found.wrong.append(f"it cannot be played: {on}")


def _old_backup(home: Path) -> None:
    """Make a campaign with a fight, and an older backup of it to replace."""
    from tui.campaign.archive.backup import backup

    _docks(home)
    path = home / "campaigns" / CAMPAIGN
    backup(path, path.with_suffix(".zip"))
    (path / "seats.toml").unlink()


def _backed_up(home: Path) -> None:
    """Make a campaign with a fight, and its backup."""
    from tui.campaign.archive.backup import backup

    _begun(5)(home)
    path = home / "campaigns" / CAMPAIGN
    backup(path, path.with_suffix(".zip"))


def _check_backup(
    scene: "Scene", home: Path, ran: "Ran", killed: bool, runner: "Runner", found: "Finding"
) -> None:
    """Check that the backup is the old or the new one, complete: new if acknowledged, old if it failed."""
    names = None
    try:
        with ZipFile(home / "campaigns" / f"{scene.campaign}.zip") as archive:
            if archive.testzip() is None:
                names = archive.namelist()
    except (OSError, BadZipFile) as error:
        found.wrong.append(f"no backup: {error}")
    if names is not None:
        is_new = f"{scene.campaign}/seats.toml" not in names
        if ran.out and not is_new:
            found.lost = 1
            found.wrong.append("the backup that was made is not there")
        if not killed and not ran.out and is_new and "may contain it" not in ran.err:
            found.wrong.append(f"a backup that was not made is there: {ran.err}")
    again = runner.run(home, ["backup", scene.campaign, str(home / "campaigns" / "other.zip")])
    if again.status:
        found.wrong.append(f"no backup can be made any more: {again.err}")


def _check_restored(
    scene: "Scene", home: Path, ran: "Ran", killed: bool, runner: "Runner", found: "Finding"
) -> None:
    """Check that the campaign is complete, or does not exist and can still be restored."""
    folder = home / "campaigns" / scene.campaign
    there = (folder / "campaign.toml").exists()
    if ran.out and not there:
        found.lost = 1
        found.wrong.append("the campaign that was restored is not there")
    if not killed and not ran.out and there and "may contain it" not in ran.err:
        found.wrong.append(f"a campaign that was not restored is there: {ran.err}")
    if not there:
        again = runner.run(home, scene.words(home))
        if again.status:
            found.wrong.append(f"it cannot be restored any more: {again.err}")
    shown = runner.run(home, ["show", scene.campaign, "--json"])
    if shown.status or json.loads(shown.out)["events"] != 5:
        found.wrong.append(f"it is not what was backed up: {shown}")


_states: list[Mapping[str, bytes]] = []


def _edited_states(scene: "Scene", home: Path, runner: "Runner") -> list[Mapping[str, bytes]]:
    """Return the files before the first step and after each step, by running the steps here once."""
    del home, runner
    if _states:
        return _states
    from tempfile import TemporaryDirectory

    from tui.campaign.campaign import load

    with TemporaryDirectory() as folder:
        (Path(folder) / "campaigns").mkdir()
        scene.prepare(Path(folder))
        path = Path(folder) / "campaigns" / scene.campaign
        campaign = load(path)
        found = [_files(path)]
        for step in edits.STEPS.values():
            campaign = step(campaign)
            found.append(_files(path))
    _states.extend(found)
    return _states


def _files(path: Path) -> Mapping[str, bytes]:
    return {
        one.relative_to(path).as_posix(): one.read_bytes()
        for one in path.rglob("*.toml")
        if one.name != "log.toml" and not one.name.startswith(".")
    }


@frozen(eq=False)
class Scene:
    """A program run, and the files it may change.

    `words`: its arguments, with {} for the campaign's folder. `text`: its input. `events`: the number of
    events in the log before. `torn`: the bytes of a torn end that must not be lost. `encounter`: the fight to
    play, if the campaign has several.
    """

    name: str
    prepare: Callable[[Path], None]
    given: tuple[str, ...]
    text: str = ""
    events: int = 0
    torn: bytes = b""
    campaign: str = CAMPAIGN
    encounter: str = ""
    check: Callable[..., None] = _check_fight

    def words(self, home: Path) -> list[str]:
        return [one.replace("{}", str(home / "campaigns" / CAMPAIGN)) for one in self.given]

    def files(self, home: Path) -> Mapping[str, bytes]:
        """Return the files that must not change."""
        other = home.with_name("as-it-was")
        if self.campaign == SAMPLE:
            path = Path(__file__).resolve().parents[2] / "campaigns" / "samples" / SAMPLE
        else:
            path = other / "campaigns" / self.campaign
            if not path.exists():
                (other / "campaigns").mkdir(parents=True, exist_ok=True)
                _docks(other)
        return _files(path)


_RUN = ("run", CAMPAIGN, "--seed", "3")
SCENES = (
    Scene("a fight", _docks, _RUN, FIGHT),
    Scene("a fight goes on", _begun(30), _RUN, SHORT, events=30),
    Scene("a torn end", _torn, _RUN, SHORT, events=20, torn=TORN.lstrip()),
    Scene("a long log", _begun(450), _RUN, "".join(f"note {n}\n" for n in range(3)), events=450),
    Scene("a lock that was left", _left_lock, _RUN, SHORT, events=5),
    Scene(
        "a sample is opened",
        _nothing,
        ("run", SAMPLE, "--seed", "3"),
        "start\nnext\n",
        campaign=SAMPLE,
        encounter="north-gate",
    ),
    Scene("edits", _docks, ("@edits", "{}"), check=_check_edits),
    Scene(
        "a new campaign", _nothing, ("new", "moor", "--system", "atlantis"), campaign="moor", check=_check_new
    ),
    Scene("a backup", _old_backup, ("backup", CAMPAIGN, "{}.zip", "--force"), check=_check_backup),
    Scene(
        "a restored campaign",
        _backed_up,
        ("restore", "{}.zip", "--as", "moor"),
        campaign="moor",
        check=_check_restored,
    ),
)
