"""`affray check --repair`: every possible repair is offered, and none loses the user's text."""

import io
from pathlib import Path

import pytest

from tests.tui.campaign.examples import CAMPAIGN, GUARD, OPENING, SEATS, campaign, event, names_in
from tests.tui.campaign.log.test_divergence import conflict, log_of
from tui.campaign.campaign import load
from tui.campaign.log.blocks import encode
from tui.campaign.log.file import LogWriter, read_log
from tui.campaign.repair.check import check
from tui.campaign.repair.choice import RepairChoice
from tui.campaign.repair.repair import Repair, Repaired, repair
from tui.cli.main import main
from tui.session.opening import open_fight

LOG = "encounters/gate/log.toml"
FILES = {"campaign.toml": CAMPAIGN, "roster/guard.toml": GUARD, "encounters/gate/opening.toml": OPENING,
         "seats.toml": SEATS}  # fmt: skip


@pytest.fixture
def docks(tmp_path: Path) -> Path:
    return campaign(tmp_path)


def first(one: Repair) -> RepairChoice:
    return one.choices[0]


def mend_all(folder: Path) -> Repaired:
    return repair(folder, first)


def comments(text: str) -> list[str]:
    return [line[line.index("#") :] for line in text.splitlines() if "#" in line]


FIELDS = [
    ("campaign.toml", 'system = "atlantis"', 'system = "atlantes"', 'system = "atlantis"'),
    ("campaign.toml", "tie_passes = false", 'tie_passes = "no"', "tie_passes = false"),
    ("campaign.toml", "tie_passes", "tie_pases", "tie_passes = false    # we like it harder"),
    ("campaign.toml", 'dice = "real"', 'dice = "reel"', 'dice = "real"'),
    ("campaign.toml", "[table]", "[tabel]", "[table]"),
    ("campaign.toml", 'title = "The docks"', "title = 12", 'title = "12"'),
    ("roster/guard.toml", "format = 1\n", "", "# A guard of the harbour\nformat = 1\n"),
    ("roster/guard.toml", "melee = 45", 'melee = "45"', "melee = 45"),
    ("roster/guard.toml", "melee = 45", "melee = 450", "melee = 100"),
    ("roster/guard.toml", "melee = 45", "melee = -4", "melee = 0"),
    ("roster/guard.toml", "max_life = 30", "max_life = 30.0", "max_life = 30"),
    ("roster/guard.toml", "max_life", "max_live", "max_life = 30"),
    ("roster/guard.toml", 'name = "knife"', "name = 7", 'name = "7"'),
    ("roster/guard.toml", "damage = 4 ", 'damage = " 4" ', "damage = 4          # hidden in the boot"),
    ("encounters/gate/opening.toml", "max_life = 40", "max_life = 0", "max_life = 1"),
    ("encounters/gate/opening.toml", 'side = "players"', "syde = 'players'", "side = 'players'"),
    ("seats.toml", "okado", "okadu", '["okado"]'),
]


@pytest.mark.parametrize(("file", "old", "bad", "repaired"), FIELDS)
def test_a_field_is_repaired_in_place_and_the_original_is_kept(
    docks: Path, file: str, old: str, bad: str, repaired: str
) -> None:
    text = FILES[file].replace(old, bad, 1)
    assert text != FILES[file]
    (docks / file).write_text(text)
    assert check(docks)
    found = mend_all(docks)
    now = (docks / file).read_text()
    assert repaired in now
    assert comments(now) == comments(text)
    assert now.count("\n") - text.count("\n") in (0, 1)
    assert (docks / f"{file}.before-repair-1").read_text() == text
    assert found.kept == (f"{file}.before-repair-1",)
    assert found.left == ()
    assert check(docks) == []


@pytest.mark.parametrize(
    ("line", "repaired"),
    [
        ("max_life = 30", "max_life = 30"),
        ("max_life: 30", "max_life = 30"),
        ("name = Old guard  # x", 'name = "Old guard"  # x'),
        ("name = “Old guard”", 'name = "Old guard"'),
        ('name = "Old guard', 'name = "Old guard"'),
        ("dies_at_zero = yes", "dies_at_zero = true"),
        ("dies_at_zero = False", "dies_at_zero = false"),
        ("max_life = 030", "max_life = 30"),
        ("abilities = { melee = 3", "abilities = { melee = 3}"),
        ('weapons = [{ name = "axe", damage = 3 }', 'weapons = [{ name = "axe", damage = 3 }]'),
        ("abilities = { melee = 3, melee = 4 }", "# abilities = { melee = 3, melee = 4 }"),
        ("what is this", "# what is this"),
    ],
)
def test_a_line_that_is_not_toml_is_repaired(docks: Path, line: str, repaired: str) -> None:
    (docks / "roster" / "guard.toml").write_text(f"format = 1\n# above\n{line}\n# below\n")
    found = mend_all(docks)
    assert (docks / "roster" / "guard.toml").read_text() == f"format = 1\n# above\n{repaired}\n# below\n"
    assert found.left == ()


@pytest.mark.parametrize(
    "data",
    [
        GUARD.replace("harbour", "Nürnberg").encode("cp1252"),
        GUARD.encode("utf-16"),
        GUARD.encode() + b"\0" * 100,
        GUARD.replace("\n", "\r").encode(),
    ],
)
def test_bytes_that_are_not_utf_8_are_converted(docks: Path, data: bytes) -> None:
    (docks / "roster" / "guard.toml").write_bytes(data)
    assert mend_all(docks).left == ()
    assert load(docks).roster["guard"].sheet.abilities == {"dodge": 30, "melee": 45}
    assert (docks / "roster" / "guard.toml.before-repair-1").read_bytes() == data


@pytest.mark.parametrize("data", ["\ufeff" + GUARD, GUARD.replace("\n", "\r\n")])
def test_a_byte_order_mark_and_other_line_ends_do_no_harm(docks: Path, data: str) -> None:
    (docks / "roster" / "guard.toml").write_bytes(data.encode())
    assert check(docks) == []
    assert mend_all(docks) == Repaired((), (), ())


def test_several_mistakes_in_several_files_are_repaired_at_once(docks: Path) -> None:
    for file, old, bad, _ in FIELDS:
        text = (docks / file).read_text()
        if old in text and "system" not in old:
            (docks / file).write_text(text.replace(old, bad, 1))
    assert len(check(docks)) >= 5
    found = mend_all(docks)
    assert found.left == ()
    assert sorted(found.kept) == sorted(f"{file}.before-repair-1" for file in FILES)
    assert open_fight(docks, write=False).session.encounter.combatants


def test_every_mistake_is_listed_at_once_however_deep(docks: Path) -> None:
    bad = GUARD.replace("dodge = 30, melee = 45", "dodge = 300, melee = 450").replace(
        "damage = ", "damage = -"
    )
    (docks / "roster" / "guard.toml").write_text(bad.replace('name = "knife"', "name = 7"))
    opening = OPENING.replace('id = "guard-1"', 'id = "guard-1"\ntag = -1\nhidden = 3')
    (docks / "encounters/gate/opening.toml").write_text(
        opening.replace("max_life = 30", "max_life = 0\nlif = 1")
    )
    assert [f"{one.file.rpartition('/')[2]} {one.field}" for one in check(docks)] == [
        "guard.toml abilities.dodge",
        "guard.toml abilities.melee",
        "guard.toml weapons[0].damage",
        "guard.toml weapons[1].name",
        "guard.toml weapons[1].damage",
        "opening.toml combatant[1].tag",
        "opening.toml combatant[1].hidden",
        "opening.toml combatant[1].sheet.max_life",
        "opening.toml combatant[1].sheet.lif",
    ]


def test_mistakes_that_only_the_user_can_decide_are_left(docks: Path) -> None:
    (docks / "roster" / "guard.toml").write_text("format = 1\nmax_life = []\n")
    (docks / "seats.toml").write_text('format = 1\n[[seat]]\nname = ""\n')
    before = {path: path.read_bytes() for path in docks.rglob("*.toml")}
    found = mend_all(docks)
    assert (found.done, found.kept, len(found.left)) == ((), (), 2)
    assert {path: path.read_bytes() for path in docks.rglob("*") if path.is_file()} == before


def test_a_newer_file_is_never_repaired(docks: Path) -> None:
    for file, text in FILES.items():
        (docks / file).write_text(text.replace("format = 1", "format = 2"))
    (docks / LOG).write_bytes(b"format = 3\n")
    assert mend_all(docks).done == ()


def test_a_file_whose_name_no_command_can_contain_is_renamed(docks: Path) -> None:
    (docks / "roster" / "Big Guard.toml").write_text(GUARD)
    assert mend_all(docks) == Repaired(("roster/Big Guard.toml: call it roster/big-guard.toml",), (), ())
    assert names_in(docks / "roster") == ["big-guard.toml", "guard.toml"]


def test_a_refused_repair_changes_nothing(docks: Path) -> None:
    (docks / "roster" / "guard.toml").write_text(GUARD.replace("45", '"45"').replace("30", '"30"'))
    before = (docks / "roster" / "guard.toml").read_bytes()
    asked: list[str] = []
    found = repair(docks, lambda one: asked.append(str(one.problem)))  # type: ignore[func-returns-value]
    assert len(asked) == len(found.left) == 3
    assert (docks / "roster" / "guard.toml").read_bytes() == before
    assert names_in(docks / "roster") == ["guard.toml"]


# The log


def write_log(docks: Path, many: int) -> bytes:
    LogWriter(docks / LOG).append(*[event(n, changes=[]) for n in range(1, many + 1)])
    return (docks / LOG).read_bytes()


def test_a_torn_event_is_set_aside(docks: Path) -> None:
    whole = write_log(docks, 3)
    (docks / LOG).write_bytes(whole + b'\n[[event]]\nn = 4\ntext = "he')
    found = mend_all(docks)
    assert "keep the 3 events before it and set the rest aside" in found.done[0]
    assert (docks / LOG).read_bytes() == whole + b"\n"
    assert (docks / f"{LOG}.aside-1").read_bytes() == b'[[event]]\nn = 4\ntext = "he'
    assert check(docks) == []


def test_a_last_event_that_lacks_only_its_end_mark_is_completed(docks: Path) -> None:
    whole = write_log(docks, 3)
    for cut in (len('end = "00000000"\n'), 9, 1 + len('end = "00000000"\n')):
        (docks / LOG).write_bytes(whole[:-cut])
        assert "complete event 3" in mend_all(docks).done[0]
        assert (docks / LOG).read_bytes() == whole
        assert len(read_log(docks / LOG).events) == 3


def test_a_log_broken_in_the_middle_is_kept_up_to_the_break_or_as_it_reads(docks: Path) -> None:
    whole = write_log(docks, 5)
    second = whole.index(b"n = 2\n")
    bad = whole[:second] + whole[second:].replace(b"Okado hits", b"Okado tickles", 1)
    (docks / LOG).write_bytes(bad)
    offered: list[Repair] = []
    repair(docks, offered.append)
    (one,) = offered
    assert [choice.says.split(",")[0].split("(")[0] for choice in one.choices] == [
        f"keep the 1 events before it and set the rest aside as {LOG}.aside-1 ",
        "accept the log as it reads now",
    ]
    repair(docks, lambda one: one.choices[1])
    assert [each.text[:12] for each in read_log(docks / LOG).events] == [
        "Okado hits G", "Okado tickle", "Okado hits G", "Okado hits G", "Okado hits G"
    ]  # fmt: skip
    assert (docks / f"{LOG}.before-repair-1").read_bytes() == bad
    (docks / LOG).write_bytes(bad)
    mend_all(docks)
    assert len(read_log(docks / LOG).events) == 1
    assert (docks / LOG).read_bytes() + (docks / f"{LOG}.aside-1").read_bytes() == bad
    assert check(docks) == []


def test_events_that_fit_the_opening_are_kept_if_later_ones_do_not(docks: Path) -> None:
    change = {"who": "guard-1", "field": "sheet.life", "before": 3, "after": "x"}
    LogWriter(docks / LOG).append(event(1), event(2), event(3, changes=[change]), event(4, changes=[]))
    whole = (docks / LOG).read_bytes()
    mend_all(docks)
    assert len(read_log(docks / LOG).events) == 2
    assert (docks / LOG).read_bytes() + (docks / f"{LOG}.aside-1").read_bytes() == whole


@pytest.mark.parametrize("head", [b"", b"frmat = 1\n", b"format = 1\nx = \n", b"\xff\xfe\n"])
def test_a_log_whose_head_is_bad_keeps_its_events(docks: Path, head: bytes) -> None:
    whole = write_log(docks, 3)
    (docks / LOG).write_bytes(whole.replace(b"format = 1\n", head, 1))
    assert mend_all(docks).left == ()
    assert len(read_log(docks / LOG).events) == 3


def test_events_numbered_wrong_are_cut_off(docks: Path) -> None:
    mark, blocks = 0, [b"format = 1\n"]
    for n in (1, 2, 4):
        block, mark = encode(event(n, changes=[]), mark)
        blocks.append(block)
    (docks / LOG).write_bytes(b"".join(blocks))
    assert mend_all(docks).left == ()
    assert len(read_log(docks / LOG).events) == 2


# Two logs of one fight


def both(docks: Path) -> tuple[bytes, bytes, str]:
    """Return two logs that differ, the second named as a synchronised folder names a conflict."""
    ours, theirs = log_of(docks, "a", "b"), log_of(docks, "x")
    (docks / "written.toml").unlink()
    other = "encounters/gate/log (conflicted copy).toml"
    (docks / LOG).write_bytes(ours)
    (docks / other).write_bytes(theirs)
    return ours, theirs, other


@pytest.mark.parametrize("which", [0, 1, 2])
def test_either_of_two_logs_can_be_kept_or_both_as_two_fights(docks: Path, which: int) -> None:
    ours, theirs, other = both(docks)
    found = repair(docks, lambda one: one.choices[which])
    assert found.left == ()
    assert not (docks / other).exists()
    match which:
        case 0:
            assert (docks / LOG).read_bytes() == ours
            assert (docks / f"{other}.aside-1").read_bytes() == theirs
        case 1:
            assert (docks / LOG).read_bytes() == theirs
            assert (docks / f"{LOG}.aside-1").read_bytes() == ours
        case 2:
            assert (docks / LOG).read_bytes() == ours
            assert (docks / "encounters/gate-2/log.toml").read_bytes() == theirs
            assert open_fight(docks, "gate-2", write=False).session.log.events[-1].typed == "x"
    assert check(docks) == []


def test_a_newer_copy_can_take_the_place_of_the_log(docks: Path) -> None:
    newer = log_of(docks, "a", "b")
    (docks / LOG).write_bytes(log_of(docks, "a"))
    (docks / "written.toml").rename(docks / "encounters/gate/log 2.toml")
    (docks / "encounters/gate/log 2.toml").write_bytes(newer)
    mend_all(docks)
    assert (docks / LOG).read_bytes() == newer
    assert check(docks) == []


@pytest.mark.parametrize("which", [0, 1, 2])
def test_either_version_of_a_merge_can_be_kept_or_both(docks: Path, which: int) -> None:
    ours, theirs = log_of(docks, "a", "b"), log_of(docks, "x")
    (docks / "written.toml").unlink()
    merged = conflict(ours, theirs)
    (docks / LOG).write_bytes(merged)
    assert repair(docks, lambda one: one.choices[which]).left == ()
    assert (docks / LOG).read_bytes() == (ours, theirs, ours)[which]
    assert (docks / f"{LOG}.before-repair-1").read_bytes() == merged
    if which == 2:
        assert (docks / "encounters/gate-2/log.toml").read_bytes() == theirs
    else:
        assert (docks / f"{LOG}.aside-1").read_bytes() == (theirs, ours)[which]


def test_a_log_written_twice_is_cut_and_gets_no_new_end_marks(docks: Path) -> None:
    ours, theirs = log_of(docks, "a", "b"), log_of(docks, "x", "y")
    (docks / "written.toml").unlink()
    tail = theirs[theirs.index(b"[[event]]\nn = 4") :]
    (docks / LOG).write_bytes(ours + tail)
    offered: list[Repair] = []
    repair(docks, lambda one: offered.append(one) or one.choices[0])  # type: ignore[func-returns-value]
    assert [len(one.choices) for one in offered] == [1]
    assert (docks / LOG).read_bytes() == ours
    assert (docks / f"{LOG}.aside-1").read_bytes() == tail


def test_a_merged_roster_file_keeps_one_version(docks: Path) -> None:
    other = GUARD.replace("melee = 45", "melee = 50")
    (docks / "roster/guard.toml").write_bytes(conflict(GUARD.encode(), other.encode()))
    repair(docks, lambda one: one.choices[1])
    assert (docks / "roster/guard.toml").read_text() == other


# The verb


def test_without_a_terminal_it_lists_and_needs_yes(docks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = GUARD.replace("melee = 45", 'melee = "45"')
    (docks / "roster/guard.toml").write_text(bad)
    assert main(["check", str(docks), "--repair"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        'roster/guard.toml: can be repaired: abilities.melee: write 45 instead of "45"',
        f"nothing has changed yet; run affray check {docks} --repair --yes to repair",
    ]
    assert (docks / "roster/guard.toml").read_text() == bad
    assert main(["check", str(docks), "--repair", "--yes"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        'roster/guard.toml: repaired: abilities.melee: write 45 instead of "45"',
        "the original is kept as roster/guard.toml.before-repair-1",
    ]
    assert (docks / "roster/guard.toml").read_text() == GUARD
    assert main(["check", str(docks), "--repair"]) == 0
    assert capsys.readouterr().out == "docks: no problems\n"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_each_repair_is_confirmed_at_a_terminal(docks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bad = GUARD.replace("melee = 45", 'melee = "45"').replace("max_life = 30", "max_life = 30_000_000")
    (docks / "roster/guard.toml").write_text(bad)
    monkeypatch.setattr("sys.stdin", Terminal("\n1\n"))
    monkeypatch.setattr("sys.stdout", out := Terminal())
    assert main(["check", str(docks), "--repair"]) == 1
    assert 'expected a whole number from 0 to 100, got "45"' in out.getvalue()
    now = (docks / "roster/guard.toml").read_text()
    assert '"45"' in now
    assert "30_000_000" not in now
