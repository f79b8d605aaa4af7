"""A log that cannot be played: its first event that does not fit is named with its line and field."""

from pathlib import Path
from typing import Any

import pytest

from tests.tui.campaign.examples import campaign, event
from tui.campaign.log.file import LogWriter
from tui.campaign.problems import FileProblem
from tui.campaign.repair.check import check
from tui.campaign.repair.repair import proposals
from tui.session.opening import open_fight

LOG = "encounters/gate/log.toml"


def change(who: object, field: object, after: object) -> dict[str, object]:
    return {"changes": [{"who": who, "field": field, "after": after}]}


BAD: dict[str, dict[str, Any]] = {
    "changes: event 3 does not fit the fight before it: guard-1.sheet.max_life: expected": (
        change("guard-1", "sheet.max_life", "x")
    ),
    "changes: event 3 does not fit the fight before it: guard-1.sheet.lfie: unknown field; did you mean": (
        change("guard-1", "sheet.lfie", 3)
    ),
    "changes: event 3 does not fit the fight before it: expected changes with who and field": (
        change("guard-1", ["sheet.life"], 3)
    ),
    "changes: event 3 does not fit the fight before it: expected a list of changes": {"changes": "none"},
    "refs: event 3 does not fit the fight before it: event 3 names event 44": {"kind": "undo", "refs": [44]},
}


@pytest.mark.parametrize("says", BAD)
def test_a_bad_event_is_named_with_its_line_and_field(tmp_path: Path, says: str) -> None:
    docks = campaign(tmp_path)
    LogWriter(docks / LOG).append(event(1), event(2), event(3, **BAD[says]), event(4))
    text = (docks / LOG).read_text(encoding="utf-8")
    line = text[: [at for at in range(len(text)) if text.startswith("[[event]]", at)][2]].count("\n") + 1
    with pytest.raises(FileProblem) as raised:
        open_fight(docks)
    assert str(raised.value).startswith(f"{LOG}:{line}: {says}")
    assert check(docks)[0].line == line
    (repair,) = proposals(docks, raised.value)
    assert repair.says.startswith("keep the 2 events before it")
