"""Score the reading of stat blocks: samples in each layout, and the creatures of SRD 5.2 printed and read.

Each sample is a text as it is pasted, with the fields that are right in a TOML file of the same name.
`marked`: pieces of the text that the report has to mark as assumed or not understood.
"""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from systems import load
from systems.contract.stat_block import BlockSheet
from systems.sheets import read_sheet
from systems.stat_blocks.reading import sheet_of
from systems.stat_blocks.text import creatures
from tests.systems.stat_blocks.printing import printed_2014, printed_2024

SAMPLES = sorted(Path(__file__).with_name("samples").glob("*.txt"))
GAME = load("srd5")
SHIPPED = Path("systems/srd5/creatures")
# Fields that the reader adds by itself, or that are not a figure of the text.
FREE = ("notes", "dies_at_zero", "proficiency", "effects")
LISTS = ("attacks", "powers", "effects")


def read(text: str) -> list[BlockSheet]:
    return [sheet_of(GAME, block) for block in creatures(text)]


def figures(fields: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield every figure of a sheet with its path; the entries of a list count one by one."""
    for name, value in fields.items():
        if name in LISTS:
            for entry in value:
                yield from ((f"{name}.{entry['name']}.{part}", inside) for part, inside in entry.items())
        else:
            yield name, value


def test_the_samples_are_read_with_no_wrong_figure_without_a_mark() -> None:
    right = total = 0
    wrong: list[str] = []
    for path in SAMPLES:
        expected = tomllib.loads(path.with_suffix(".toml").read_text("utf-8"))["creature"]
        found = read(path.read_text("utf-8"))
        assert len(found) == len(expected), path.name
        for given, wanted in zip(found, expected, strict=True):
            marks = " ".join(line.text for line in given.lines if line.assumed or line.problem)
            missing = [piece for piece in wanted.pop("marked") if piece not in marks]
            assert missing == [], path.name
            read_sheet(GAME, given.fields, "")
            was, now = dict(figures(wanted)), dict(figures(given.fields))
            total += len(was)
            right += sum(now.get(name) == value for name, value in was.items())
            wrong += [
                f"{path.name}: {name} is {now[name]}" for name in was if now.get(name, was[name]) != was[name]
            ]
            wrong += [
                f"{path.name}: {name} is {now[name]}"
                for name in now
                if name not in was and name.split(".")[0] not in FREE
            ]
    assert wrong == []
    assert right >= 0.95 * total
    assert len(SAMPLES) >= 12


def test_shipped_creatures_printed_in_either_layout_are_read_back() -> None:
    right = total = 0
    for path in sorted(SHIPPED.glob("*.toml"))[::9]:
        creature = tomllib.loads(path.read_text("utf-8"))
        for text, wanted in (printed_2014(creature), printed_2024(creature)):
            [found] = read(text)
            total += len(wanted)
            right += sum(found.fields.get(name) == value for name, value in wanted.items())
    assert right >= 0.99 * total
