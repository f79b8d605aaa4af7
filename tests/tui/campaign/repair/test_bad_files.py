"""Any file of a campaign is refused in one line or left out, in little time and memory."""

import json
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.command import CONTROL, environment
from tests.faults.points import Runner
from tests.tui.campaign.examples import campaign
from tui.campaign.repair.check import check

HEAD = b"format = 1\n"
EVENT = b"\n[[event]]\n"
SIZE = 400_000
# Smaller files are not large: any file may have four megabytes.
FLOOR = 4 * 1024 * 1024


def numbered(line: Callable[[int], str]) -> bytes:
    """Return lines until the file is large."""
    found, length, at = [], 0, 0
    while length < SIZE:
        found.append(line(at))
        length += len(found[-1])
        at += 1
    return HEAD + "".join(found).encode()


# Content that costs a parser many times its own size.
LARGE = {
    "tables": numbered(lambda at: f"[a{at:x}]\n"),
    "deep tables": numbered(lambda at: f"[a.b.c.d.e.f{at:x}]\n"),
    "entries": numbered(lambda _: "[[a]]\n"),
    "fields": numbered(lambda at: f"a{at:x}=1\n"),
    "dotted": numbered(lambda at: f"a{at:x}.b=1\n"),
    "numbers": HEAD + b"a=[" + b"1," * (SIZE // 2) + b"]",
    "fractions": HEAD + b"a=[" + b"1.5," * (SIZE // 4) + b"]",
    "lists": HEAD + b"a=[" + b"[]," * (SIZE // 3) + b"]",
    "inline": HEAD + b"a=[" + b"{b=1}," * (SIZE // 6) + b"]",
    "digits": HEAD + b"a=" + b"9" * SIZE,
    "underlined": HEAD + b"a=" + b"9_" * (SIZE // 2) + b"9",
    "runs of digits": HEAD + (b"9" * 19_000 + b"\n") * (SIZE // 19_000),
    "exponent": HEAD + b"a=1e" + b"9" * SIZE,
    "text": HEAD + b'a="""' + b"x" * SIZE + b'"""\n[b]\nc=1\n',
    "escapes": HEAD + b'a="' + b"\\n" * (SIZE // 2) + b'"\nb=\n',
    "open text": HEAD + b'a="""' + b"x" * SIZE,
    "brackets": HEAD + b"a=" + b"[" * SIZE,
    "comments": HEAD + b"#\n" * (SIZE // 2) + b"a=",
    "lines": HEAD + b"\n" * SIZE,
    "zeros": b"\0" * SIZE,
    "no text": b"\xff" * SIZE,
    "events": HEAD + EVENT * (SIZE // len(EVENT)),
    "empty event": HEAD + EVENT + b"\n" * SIZE,
    "one value": HEAD + EVENT + b"a=[" + b"1," * (SIZE // 2) + b"]\n",
    "marks": HEAD + (EVENT + b'end = "00000000"\n') * (SIZE // 28),
}
FILES = (
    "campaign.toml",
    "roster/guard.toml",
    "encounters/gate/opening.toml",
    "encounters/gate/log.toml",
    "seats.toml",
)


# Reads campaigns, each with one file changed and in a process forked for it, and says by how much the memory
# of that process has grown meanwhile.
MEASURE = """
import json, os, sys
from pathlib import Path
from tui.campaign.campaign import load
from tui.campaign.repair.check import check
from tui.campaign.log.file import read_log
from tui.campaign.problems import FileProblem

def memory(line):
    return int(Path("/proc/self/status").read_text().split(line)[1].split()[0]) * 1024

def measure(docks, file, bad):
    problems = [*check(docks), *load(docks).problems]
    was = memory("VmRSS:")
    Path("/proc/self/clear_refs").write_text("5")
    (docks / file).write_bytes(bad.read_bytes())
    for reads in (check, load, lambda _: read_log(docks / "encounters/gate/log.toml")):
        try:
            reads(docks)
        except FileProblem:
            pass
    print(memory("VmHWM:") - was, flush=True)

for docks, file, bad in json.load(sys.stdin):
    child = os.fork()
    if child == 0:
        measure(Path(docks), file, Path(bad))
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0, bad
"""


def file_for(data: bytes) -> str:
    return "encounters/gate/log.toml" if b"[[event]]" in data else "roster/guard.toml"


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, bytes]]:
    """Return, for each large bad file, the memory needed to read its campaign, and the file afterwards."""
    jobs = []
    for data in LARGE.values():
        folder = tmp_path_factory.mktemp("large")
        (folder / "bad").write_bytes(data)
        jobs.append((str(campaign(folder)), file_for(data), str(folder / "bad")))
    done = subprocess.run(
        [sys.executable, "-c", MEASURE],
        input=json.dumps(jobs),
        capture_output=True,
        env=environment(),
        timeout=60,
        check=True,
        text=True,
    )
    return {
        shape: (int(grown), Path(docks, file).read_bytes())
        for shape, grown, (docks, file, _) in zip(LARGE, done.stdout.split(), jobs, strict=True)
    }


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="only Linux tells a program's peak")
@pytest.mark.parametrize("shape", LARGE)
def test_a_large_bad_file_takes_little_memory_and_time(
    measured: dict[str, tuple[int, bytes]], shape: str
) -> None:
    data, (grown, left) = LARGE[shape], measured[shape]
    assert grown < max(FLOOR, 10 * len(data)) + 2_000_000, f"{grown / len(data):.0f} times the file"
    assert left == data


@pytest.mark.parametrize("file", FILES)
def test_a_large_log_or_roster_is_refused_by_its_size_before_it_is_read(tmp_path: Path, file: str) -> None:
    docks = campaign(tmp_path)
    with (docks / file).open("wb") as opened:
        opened.truncate(600 * 1024 * 1024)  # a hole, which takes no space on the disk
    tracemalloc.start()
    problems = check(docks)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert any("is larger than" in str(one) for one in problems)
    assert peak < 600 * 1024 * 1024


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    """Yield a runner whose processes may use 400 megabytes."""
    runner = Runner(tmp_path_factory.mktemp("program"), memory=400 * 1024 * 1024)
    yield runner
    runner.close()


SOME = [
    b"",
    b"\0",
    HEAD + b"x = \x1b[31m\n",
    b"\xff\xfe" * 50,
    HEAD + b'name = "\\u001b[31m\\u009b"\n',
    HEAD + b"[" * 5000,
    HEAD + b"system = 'atlantis'\n",
    LARGE["tables"],
    LARGE["numbers"],
]


@pytest.mark.parametrize("file", FILES)
def test_the_program_itself_refuses_bad_files_in_one_line(program: Runner, tmp_path: Path, file: str) -> None:
    docks = campaign(tmp_path / "campaigns")
    (tmp_path / "state").mkdir()
    for data in SOME if file == "roster/guard.toml" else SOME[-2:]:
        (docks / file).write_bytes(data)
        for verb in ("check", "run"):
            ran = program.run(tmp_path, [verb, str(docks)], "note hello\n")
            out, err = ran.out, ran.err
            assert ran.status in (0, 1), (verb, data[:40], err)
            assert not CONTROL.search(out + err)
            assert "Traceback" not in err
            assert "unexpected" not in err
            assert err.count("\n") <= 1
            assert all(len(line) < 1000 for line in err.splitlines())
        assert (
            (docks / file).read_bytes().startswith(data.rstrip(b"\0") if file.endswith("log.toml") else data)
        )


def test_a_creature_of_srd5_names_what_exists_or_is_reported_with_its_line(tmp_path):
    (tmp_path / "roster").mkdir()
    (tmp_path / "campaign.toml").write_text('format = 1\ntitle = "Vault"\nsystem = "srd5"\n', "utf-8")
    lines = (
        'attacks = [{ name = "bite", to_hit = 3, damage = ["1d6 firey"] }]',
        'powers = [{ name = "gaze", save = "wisdom", dc = 12, conditions = ["frightend"] }]',
        'type = "dragn"',
    )
    (tmp_path / "roster" / "wyrm.toml").write_text("\n".join(("format = 1", *lines)), "utf-8")
    claws = ('attacks = [{ name = "bite", to_hit = 3 }]', 'multiattack = [{ name = "claw", times = 2 }]')
    (tmp_path / "roster" / "bear.toml").write_text("\n".join(("format = 1", *claws)), "utf-8")
    bear, damage, condition, type = map(str, check(tmp_path))
    assert bear == 'roster/bear.toml:3: multiattack[0]: name: there is no "claw" here; known: bite, unarmed'
    assert damage.startswith("roster/wyrm.toml:2: attacks[0].damage[0]: ")
    assert damage.endswith("'firey' is no damage type; did you mean fire?")
    assert condition.startswith("roster/wyrm.toml:3: powers[0].conditions[0]: expected one of blinded, ")
    assert condition.endswith('got "frightend"; did you mean frightened?')
    assert type.startswith("roster/wyrm.toml:4: type: expected one of aberration, ")
    assert type.endswith('got "dragn"; did you mean dragon?')


def test_a_misspelt_condition_in_an_effect_is_reported_wherever_it_stands(tmp_path):
    (tmp_path / "roster").mkdir()
    (tmp_path / "campaign.toml").write_text('format = 1\ntitle = "Vault"\nsystem = "srd5"\n', "utf-8")
    lines = (
        "format = 1",
        "effects = [",
        '{ name = "a", when = "asked", condition = "prone", brings = ["stuned"] },',
        '{ name = "b", when = "asked", releases = "grapled" },',
        '{ name = "c", when = "damaged", heal = "5", attacker_is = ["swalowed_by_it"] },',
        "]",
    )
    (tmp_path / "roster" / "wyrm.toml").write_text("\n".join(lines), "utf-8")
    brings, releases, attacker = map(str, check(tmp_path))
    assert brings.startswith("roster/wyrm.toml:3: effects[0].brings[0]: there is no condition or state")
    assert releases.endswith(
        'effects[1].releases: there is no condition or state "grapled"; did you mean grappled?'
    )
    assert attacker.endswith('state "swalowed"; did you mean swallowed?')
