"""Try a few inputs for every reader, and every input that once failed."""

from typing import Any

import pytest
from hypothesis import given

from tests.fuzz import files
from tests.fuzz.targets import TARGETS, logs_hold
from tests.laws import examples

BY_NAME = {one.name: one for one in TARGETS}
FEW = {"dice": 60, "commands": 60, "play": 18, "files": 18, "repairs": 10, "logs": 15, "keys": 5}


@pytest.mark.parametrize("name", BY_NAME)
def test_every_input_gets_a_sensible_answer(name: str) -> None:
    target = BY_NAME[name]

    @examples(FEW[name])
    @given(target.inputs)
    def holds(value: Any) -> None:
        target.holds(value)

    holds()


# Each of these once led to an unexpected error.
EVENTS = [
    [{"kind": "undo", "refs": False}],
    [{"kind": "undo", "refs": [1]}],
    [{"kind": "redo", "refs": [7]}],
    [{"changes": [{"who": "", "field": "ids", "after": ["nobody"]}]}],
    [{"changes": [{"who": "", "field": "order", "after": ["nobody"]}]}],
    [{"changes": [{"who": "okado", "field": ""}]}],
]


@pytest.mark.parametrize("events", EVENTS)
def test_invalid_events_are_refused(events: list[dict[str, Any]]) -> None:
    logs_hold(events)


def test_every_kind_of_file_is_fuzzed() -> None:
    kinds = {name.rpartition("/")[2] for _, name in files.names()}
    assert {"campaign.toml", "seats.toml", "opening.toml", "log.toml"} < kinds
    assert len(files.campaigns()) >= 6
