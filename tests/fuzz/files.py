"""Generate campaign files with random changes: bytes, tokens and lines, and events with valid end marks."""

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from systems.codec.events import read_event
from tests.command import SAMPLES
from tui.campaign.log.blocks import encode

GOLDEN = Path(__file__).parents[1] / "golden"
TOKENS = [
    *(f"{one}\n".encode() for one in (
        "[[event]]", "[[combatant]]", "[[seat]]", "[table]", "[house]", "[combatant.sheet]", "[[weapons]]",
        "format = 1", "format = 2", "format = 0", 'name = ""', 'name = "\\u001b[31m"',
        "life = 99999999999999999999",
        "life = -1", "life = inf", "life = nan",
        "x = 1979-05-27", "x = 07:32:00", 'end = "00000000"', "n = 1",
        "changes = 3", "changes = [3]", 'changes = [{ who = "", field = "order", after = 3 }]', "sheet = []",
        "<<<<<<< HEAD", "=======", ">>>>>>> other", 'x = """', "x = '''", "conditions = [3]", "offers = [3]",
        "order = 3", "title = []", "kind = 3", "side = 3", 'order = "sides"', "a.b.c.d = 1",
    )),
    b"\0", b"\xff", b"\xef\xbb\xbf", b"\r", b"\r\n", b"\x1b[31m", b"\x9b", "\u2028\u202e\u200b".encode(),
    b"\"",     b"'", b"[", b"]", b"{", b"}", b"=", b",", b".", b"#", b"\\", b"\n", b"9" * 5000,
    b"[" * 500, b"a." * 500,
]  # fmt: skip


@cache
def campaigns() -> list[Path]:
    """Return the campaigns to change: all samples, and the permanent golden one."""
    return [
        one for one in sorted([*SAMPLES.iterdir(), *GOLDEN.glob("*")]) if (one / "campaign.toml").is_file()
    ]


@cache
def names() -> list[tuple[int, str]]:
    """Return every TOML file of every campaign: the campaign's index, and the name within it."""
    found = []
    for at, folder in enumerate(campaigns()):
        files = [one for one in folder.rglob("*.toml") if not any(part[0] == "." for part in one.parts)]
        found += [(at, str(one.relative_to(folder))) for one in sorted(files)]
    return found


@cache
def copy_of(at: int) -> Path:
    """Return a copy of a campaign that tests may change if they restore it."""
    memory = Path("/dev/shm")  # syncing to a disk would take most of the time
    folder = Path(tempfile.mkdtemp(prefix="affray-fuzz-", dir=memory if memory.is_dir() else None))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    source = campaigns()[at]
    ignore = shutil.ignore_patterns(".*")
    return Path(shutil.copytree(source, folder / source.name, ignore=ignore))


edits = st.lists(
    st.tuples(
        st.sampled_from(["flip", "cut", "drop", "double", "insert", "token", "line", "swap", "any", "crlf"]),
        st.floats(0, 1, exclude_max=True),
        st.integers(1, 40),
        st.binary(max_size=8),
        st.sampled_from(TOKENS),
    ),
    min_size=1,
    max_size=4,
)


def changed(data: bytes, steps: list[tuple[str, float, int, bytes, bytes]]) -> bytes:
    """Return the contents of a file after some edits."""
    for how, where, many, some, token in steps:
        at = int(where * (len(data) + 1))
        start = data.rfind(b"\n", 0, at) + 1
        end = data.find(b"\n", at) + 1 or len(data)
        match how:
            case "flip":
                data = data[:at] + bytes(one ^ (many or 1) for one in data[at : at + 1]) + data[at + 1 :]
            case "cut":
                data = data[:at]
            case "drop":
                data = data[:at] + data[at + many :]
            case "double":
                data = data[: at + many] + data[at:]
            case "insert":
                data = data[:at] + some + data[at:]
            case "token":
                data = data[:at] + token + data[at:]
            case "line":
                data = data[:start] + token + data[end:]
            case "swap":
                data = data[:start] + data[end:] + data[start:end]
            case "any":
                data = some * many
            case "crlf":
                data = data.replace(b"\n", b"\r\n")
    return data


@st.composite
def files(draw: st.DrawFn) -> tuple[int, str, bytes]:
    """Draw a campaign, the name of one of its files, and its new contents."""
    at, name = draw(st.sampled_from(names()))
    data = (copy_of(at) / name).read_bytes()
    return at, name, changed(data, draw(edits))


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats()
    | st.text(max_size=12)
    | st.sampled_from(["okado", "guard-1", "order", "sheet.life", "conditions", "start", "players", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
).map(lambda one: without_none(one))  # noqa: PLW0108 - it is defined below

ids = st.sampled_from(["okado", "tamsin", "guard-1", "nobody", ""])
plausible = (
    ids
    | st.lists(ids, max_size=4)
    | st.integers(0, 60)
    | st.booleans()
    | st.lists(
        st.fixed_dictionaries({"name": st.just("x")}, optional={"of": ids, "until": st.just("end")}),
        max_size=2,
    )
    | st.fixed_dictionaries({"name": ids, "id": ids, "sheet": st.just({})})
    | st.lists(st.fixed_dictionaries({"says": ids}, optional={"by": ids, "target": ids}), max_size=2)
)
changes = st.fixed_dictionaries(
    {
        "who": st.sampled_from(["", "okado", "guard-1", "nobody"]) | values,
        "field": st.sampled_from(
            ["", "order", "ids", "round", "turn", "title", "over", "offers", "sheet", "sheet.life",
            "conditions",
             "tag",              "sheet.abilities.melee", 'sheet."', "a..b", "name", "sheet.weapons"]
        ) | values,
    },
    optional={"before": values, "after": plausible | values},
)  # fmt: skip
marks = st.lists(
    st.lists(st.integers(-2, 12) | st.sampled_from(["actor", "grew", "shrank", "status", "dead"]), max_size=4)
    | values,
    max_size=3,
)
sentences = st.lists(
    st.fixed_dictionaries(
        {"start": st.integers(-2, 12), "end": st.integers(-2, 12)},
        optional={
            "about": st.lists(ids, max_size=2),
            "seen": st.just("all") | values,
            "marks": marks | values,
        },
    ),
    max_size=3,
)
wild_events = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "kind": st.sampled_from(["command"] * 4 + ["undo", "redo", "back"]) | values,
            "verb": st.sampled_from(["next", "act", "undo"]) | values,
            "refs": st.lists(st.integers(-1, 5), max_size=3) | values,
            "changes": st.lists(changes, min_size=1, max_size=3),
            "text": values,
            "command": values,
            "round": values,
            "turn": values,
            "rolls": values,
            "typed": values,
            "actor": values,
            "targets": values,
            "options": values,
            "sentences": sentences | values,
            "results": values,
            "terms": values,
            "steps": values,
            "time": values,
            "who": values,
        },
    ),
    min_size=1,
    max_size=4,
)


def without_none(value: Any) -> Any:
    """Return a value without the parts that TOML cannot hold."""
    match value:
        case dict():
            return {name: without_none(one) for name, one in value.items() if one is not None}
        case list():
            return [without_none(one) for one in value if one is not None]
    return "" if value is None else value


def log_of(events: list[dict[str, Any]]) -> bytes:
    """Return a log of these events with valid end marks."""
    mark, blocks = 0, [b"format = 1\n"]
    for n, one in enumerate(events, 1):
        block, mark = encode(read_event({"n": n, **one}), mark)
        blocks.append(block)
    return b"".join(blocks)
