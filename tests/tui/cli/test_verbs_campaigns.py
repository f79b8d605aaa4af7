"""The verbs that create, find, check and show campaigns, and their errors for bad ones."""

import os
import shlex
import shutil
import subprocess
import tomllib

import pytest

from tests.command import PREPARED, ROOT, SAMPLES, affray, commands, present, sample, start
from tui.campaign import folders as places
from tui.campaign.campaign import load
from tui.cli import new

GATE = "okado-at-the-gate"


def files(folder):
    """Return every regular file in a folder with its bytes."""
    return {one.relative_to(folder): one.read_bytes() for one in sorted(folder.rglob("*")) if one.is_file()}


# where


def test_the_folder_given_with_the_option_takes_precedence(tmp_path, monkeypatch):
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path / "named"))
    ran = affray("where", "--campaigns", tmp_path / "given")
    assert ran.out.splitlines() == [str(tmp_path / "given"), "given with --campaigns"]


def test_the_folder_in_the_environment_comes_next(tmp_path, monkeypatch):
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path / "named"))
    path, why = affray("where").out.splitlines()
    assert path == str(tmp_path / "named")
    assert "AFFRAY_CAMPAIGNS" in why


def test_an_empty_name_in_the_environment_names_nothing(monkeypatch):
    without = affray("where")
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", "")
    assert affray("where") == without


def test_a_checkout_keeps_its_own_campaigns(tmp_path, monkeypatch):
    monkeypatch.setattr(places, "beside_program", lambda: tmp_path)
    path, why = affray("where").out.splitlines()
    assert (path, why) == (str(tmp_path / "campaigns"), "next to the program")


def test_if_the_program_s_folder_is_read_only_the_user_s_folder_is_used(tmp_path, monkeypatch):
    monkeypatch.setattr(places, "beside_program", lambda: tmp_path)
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path, why = affray("where").out.splitlines()
    assert path == str(tmp_path / "data" / "affray" / "campaigns")
    assert "is not writable" in why


def test_an_installed_program_uses_the_users_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(places, "beside_program", lambda: None)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path, why = affray("where").out.splitlines()
    assert path == str(tmp_path / "data" / "affray" / "campaigns")
    assert "installed" in why


def test_where_creates_nothing(tmp_path):
    affray("where", "--campaigns", tmp_path / "not" / "there")
    affray("list", "--campaigns", tmp_path / "not" / "there")
    assert not list(tmp_path.iterdir())


# new and list


def test_a_new_campaign_is_listed_checked_and_ready(tmp_path):
    folder, title = tmp_path / "deep" / "down", "Bones [b] 🐉"
    ran = affray("new", "my campaign", "--system", "Atomic D20", "--title", title, "--campaigns", folder)
    assert (ran.status, ran.err) == (0, "")
    assert str(folder / "my campaign") in ran.out
    head = tomllib.loads((folder / "my campaign" / "campaign.toml").read_text(encoding="utf-8"))
    assert head == {"format": 1, "title": title, "system": "atomic_d20"}
    assert f"{title} (atomic_d20)" in affray("list", "--campaigns", folder).out
    assert affray("check", "my campaign", "--campaigns", folder).status == 0
    assert present(folder, "my campaign")["combatants"] == []
    answers = commands(folder, "my campaign", "start", "note empty", "undo", "next")
    assert [one["ok"] for one in answers[1:3]] == [True, True]


def test_a_campaign_is_never_created_over_another(tmp_path):
    sample(tmp_path, GATE)
    (tmp_path / "other").mkdir()
    (tmp_path / "file").write_text("mine")
    before = files(tmp_path)
    for name in (GATE, "other", "file"):
        ran = affray("new", name, "--system", "xcom", "--campaigns", tmp_path)
        assert ran.status == 1
        assert "already" in ran.complaint
    assert files(tmp_path) == before


@pytest.mark.parametrize(
    "name", ["", " ", "a ", "../up", "a/b", "a\\b", ".hidden", "-x", "~", "con:", "\x1b", "x" * 300]
)
def test_a_name_that_no_folder_can_have_is_refused(tmp_path, name):
    ran = affray("new", "--system", "xcom", "--campaigns", tmp_path / "here", "--", name)
    assert ran.status == 1
    assert ran.complaint
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file" / "campaigns", "/proc/campaigns"):
        ran = affray("new", "x", "--system", "xcom", "--campaigns", folder)
        assert ran.status == 1
        assert ran.complaint
        assert affray("run", GATE, "--campaigns", folder, given="start\n").status == 1
        assert affray("show", GATE, "--campaigns", folder).status == 0
        assert affray("list", "--campaigns", folder).status == 0


def test_the_list_names_the_samples_until_they_are_copied(tmp_path):
    names = sorted(one.name for one in SAMPLES.iterdir() if (one / "campaign.toml").is_file())
    listed = affray("list", "--campaigns", tmp_path).out
    assert sorted(line.split()[0] for line in listed.splitlines()) == names
    assert all(line.endswith("sample, not opened yet") for line in listed.splitlines())
    assert commands(tmp_path, GATE, "note mine")[0]["ok"]
    [own] = [line for line in affray("list", "--campaigns", tmp_path).out.splitlines() if GATE in line]
    assert "sample" not in own


def test_reading_a_sample_writes_nothing_anywhere(tmp_path):
    before = files(SAMPLES)
    place = ("--campaigns", tmp_path / "mine")
    for given in (GATE, SAMPLES / GATE, SAMPLES / GATE / "campaign.toml"):
        assert affray("show", given, *place).status == 0
        assert affray("check", given, *place).status == 0
        assert affray("check", given, "--repair", *place).status == 0
        assert affray("export", given, "--encounter", "bridge", *place).status == 0
        assert affray("backup", given, tmp_path, "--force", *place).status == 0
    assert not (tmp_path / "mine").exists()
    assert files(SAMPLES) == before


def test_a_checkout_stays_clean_when_it_is_played_in(tmp_path):
    shutil.copy(ROOT / ".gitignore", tmp_path)
    sample(tmp_path / "campaigns" / "samples", GATE)
    for words in ("init -q", "add .", "-c user.name=a -c user.email=a@b.c commit -q -m a"):
        subprocess.run(["git", *words.split()], cwd=tmp_path, check=True)
    assert affray("new", "mine", "--system", "xcom", "--campaigns", tmp_path / "campaigns").status == 0
    assert commands(tmp_path / "campaigns", GATE, "start", "next")[1]["ok"]
    said = subprocess.run(["git", "status", "--porcelain"], cwd=tmp_path, check=True, capture_output=True)
    assert said.stdout == b""


def test_a_path_of_a_sample_is_played_in_its_copy(tmp_path):
    before = files(SAMPLES)
    ran = affray("run", SAMPLES / GATE, "--campaigns", tmp_path, given="start\n")
    assert ran.answers[0]["ok"]
    assert present(tmp_path, GATE)["round"] == 1
    assert files(SAMPLES) == before
    refused = affray("run", GATE, "--campaigns", SAMPLES, given="start\n")
    assert "never written to" in refused.complaint
    assert files(SAMPLES) == before


def test_a_sample_is_copied_when_it_is_opened_and_the_program_keeps_its_own(tmp_path):
    before = files(SAMPLES)
    assert commands(tmp_path, GATE, "note mine")[0]["ok"]
    assert (tmp_path / GATE / "campaign.toml").read_bytes() == (SAMPLES / GATE / "campaign.toml").read_bytes()
    assert files(SAMPLES) == before


@pytest.mark.parametrize("name", PREPARED)
def test_every_sample_has_a_prepared_fight_and_a_finished_one(tmp_path, name):
    path = sample(tmp_path, name)
    assert affray("check", name, "--campaigns", tmp_path).status == 0
    assert present(tmp_path, name)["over"]
    prepared = next(one.name for one in (path / "encounters").iterdir() if not (one / "log.toml").exists())
    shown = present(tmp_path, name, "--encounter", prepared)
    assert (shown["round"], shown["turn"], shown["over"]) == (0, None, False)
    assert len(shown["combatants"]) >= 2
    assert commands(tmp_path, name, "start")[0]["ok"]
    logs = [one.parent.name for one in path.rglob("log.toml")]
    assert any(present(tmp_path, name, "--encounter", one)["over"] for one in logs)


@pytest.mark.parametrize("given", ["okado", "OKADO-AT", "okado at the", "Okado_at"])
def test_a_campaign_is_found_by_the_beginning_of_its_name_or_title(tmp_path, given):
    def shown(name):
        return affray("show", name, "--campaigns", tmp_path)

    assert (shown(given).status, shown(given).out) == (
        0,
        shown(GATE).out,
    )  # a sample that has not been opened yet
    sample(tmp_path, GATE)
    commands(tmp_path, GATE, "start")
    assert (shown(given).status, shown(given).out) == (0, shown(GATE).out)


def test_a_beginning_that_several_campaigns_have_is_refused_with_their_names(tmp_path):
    for name in ("mill-a", "mill-b"):
        sample(tmp_path, GATE, name)
    ran = affray("show", "mill", "--campaigns", tmp_path)
    assert ran.complaint == 'several campaigns begin with "mill": name the folder, mill-a or mill-b'
    assert affray("show", "mill-a", "--campaigns", tmp_path).status == 0


# show, recap and export


def test_the_fight_played_last_is_shown_and_not_one_that_has_not_begun(tmp_path):
    path = sample(tmp_path, GATE)
    # A second finished fight, and an empty first encounter that holds notes alone.
    shutil.copytree(path / "encounters/bridge", path / "encounters/a-later-bridge")
    os.utime(path / "encounters/bridge/log.toml", ns=(1, 1))

    def read(verb, *words):
        return affray(verb, GATE, *words, "--campaigns", tmp_path)

    def read_encounters():
        named = {read(verb, "--json").answers[0]["encounter"] for verb in ("show", "recap")}
        title = present(tmp_path, GATE)["title"]
        assert all(title in read(verb).out.splitlines()[0] for verb in ("show", "recap", "export"))
        return named

    assert read_encounters() == {"a-later-bridge"}
    commands(tmp_path, GATE, "note the gate creaks")
    assert read_encounters() == {"a-later-bridge"}
    commands(tmp_path, GATE, "start")
    assert read_encounters() == {"north-gate"}
    commands(tmp_path, GATE, "undo")
    assert read_encounters() == {"a-later-bridge"}
    commands(tmp_path, GATE, "redo", "end")
    assert read_encounters() == {"north-gate"}
    assert read("recap", "--encounter", "bridge", "--json").answers[0]["encounter"] == "bridge"


def test_the_json_of_a_recap_keeps_the_keys_that_scripts_read(tmp_path):
    sample(tmp_path, GATE)
    [recap] = affray("recap", GATE, "--campaigns", tmp_path, "--json").answers
    assert {"deeds", "blows", "healed", "luck", "edges", "turns", "dealt", "taken"} <= {*recap}


def test_the_fight_of_an_export_without_a_heading_is_named_on_standard_error(tmp_path):
    sample(tmp_path, GATE)
    ran = affray("export", GATE, "--format", "jsonl", "--campaigns", tmp_path)
    assert "The bridge at dusk (bridge)" in ran.err


def test_the_present_state_has_the_fields_that_programs_need(tmp_path):
    sample(tmp_path, GATE)
    held_by = "condition guard-2 held escape 14 until okado falls"
    commands(tmp_path, GATE, "start", "condition guard-1 marked 2 for 3 rounds", held_by)
    [shown] = affray("show", GATE, "--campaigns", tmp_path, "--json").answers
    assert {"system", "round", "turn", "events", "combatants"} <= set(shown)
    assert (shown["system"], shown["round"], shown["turn"], shown["events"]) == ("atlantis", 1, "okado", 3)
    for one in shown["combatants"]:
        assert {"id", "name", "side", "sheet", "conditions"} <= set(one)
        assert one["sheet"]["status"] == "conscious"
    [held] = next(one["conditions"] for one in shown["combatants"] if one["id"] == "guard-1")
    assert (held["name"], held["value"]) == ("marked", 2)
    [held] = next(one["conditions"] for one in shown["combatants"] if one["id"] == "guard-2")
    assert (held["source"], held["escape"], held["ends_when"]) == ("okado", 14, ["source_falls"])


def test_the_present_state_lists_what_is_on_offer(tmp_path):
    road = "the-toll-road"
    sample(tmp_path, road)
    commands(tmp_path, road, "start", "attack ilsa by bandit-1 dice=1")
    [shown] = affray("show", road, "--campaigns", tmp_path, "--json").answers
    [offer] = shown["offers"]
    assert (offer["by"], offer["command"]) == ("ilsa", "counter bandit-1 by ilsa")
    assert commands(tmp_path, road, f"{offer['command']} dice=20")[0]["ok"]


def test_the_present_state_is_also_printed_as_a_page(tmp_path):
    sample(tmp_path, GATE)
    commands(tmp_path, GATE, "start", "hide wolf")
    lines = affray("show", GATE, "--campaigns", tmp_path).out.splitlines()
    assert "round 1, Okado's turn" in lines[0]
    assert lines[1].startswith("▸  4 Okado")
    assert "hidden" in lines[-1]


def test_the_page_has_the_same_content_as_the_rows_of_the_screen(tmp_path):
    sample(tmp_path, GATE)
    commands(tmp_path, GATE, "start", "condition okado prone", "delay okado")
    lines = affray("show", GATE, "--campaigns", tmp_path).out.splitlines()
    [late] = [line for line in lines if "arrives in round 3" in line]
    assert "conscious" not in late
    assert "life" not in late
    [okado] = [line for line in lines if "Okado  " in line]
    assert "waits" in okado
    assert "prone" in okado


@pytest.mark.parametrize(("form", "start_"), [("md", "# "), ("html", "<!"), ("jsonl", "{")])
def test_a_log_is_exported(tmp_path, form, start_):
    sample(tmp_path, GATE)
    ran = affray("export", GATE, "--encounter", "bridge", "--format", form, "--campaigns", tmp_path)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith(start_)
    assert ran.out.count("\n") > 5


def test_a_campaign_is_found_by_the_path_of_its_folder_or_its_file(tmp_path):
    path = sample(tmp_path / "elsewhere", GATE)
    for given in (path, path / "campaign.toml", f"{path}/"):
        assert affray("show", given, "--campaigns", tmp_path / "none").status == 0


# bad campaigns


def head(path, text):
    (path / "campaign.toml").write_text(text)


def broken(name):
    """Return a function that breaks a good campaign in that way."""
    gate, good = "encounters/north-gate", (SAMPLES / GATE / "campaign.toml").read_text()
    return {
        "empty": lambda path: head(path, ""),
        "half-written": lambda path: head(path, good[: len(good) // 3]),
        "newer": lambda path: head(path, good.replace("format = 1", "format = 2")),
        "no-format": lambda path: head(path, good.replace("format = 1\n", "")),
        "not-toml": lambda path: head(path, "this is { no toml\n"),
        "binary": lambda path: (path / "campaign.toml").write_bytes(bytes(range(256)) * 20),
        "zeros": lambda path: (path / "campaign.toml").write_bytes(bytes(400)),
        "no-game": lambda path: head(path, "format = 1\n"),
        "unknown-game": lambda path: head(path, 'format = 1\nsystem = "chess\\u001b[31m"\n'),
        "bad-house": lambda path: head(path, f'{good}\n[house.zz]\nx = "\\u001b[31m"\n'),
        "bad-opening": lambda path: (path / gate / "opening.toml").write_text("half = {"),
        "opening-is-a-folder": lambda path: swap(path / gate / "opening.toml"),
        "bad-sheet": lambda path: change(path / gate / "opening.toml", "max_life = ", 'max_life = "x" #'),
        "bad-log": lambda path: (path / gate / "log.toml").write_bytes(bytes(range(256)) * 20),
        "newer-log": lambda path: (path / gate / "log.toml").write_text("format = 9\n"),
        "log-without-header": lambda path: (path / gate / "log.toml").write_text("x = 1\n"),
        "no-encounters": lambda path: shutil.rmtree(path / "encounters"),
    }[name]


def swap(path):
    path.unlink()
    path.mkdir()


def change(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


BROKEN = (
    "empty half-written newer no-format not-toml binary zeros no-game unknown-game bad-house bad-opening "
    "opening-is-a-folder bad-sheet bad-log newer-log log-without-header no-encounters"
).split()


# Without a name, show and export use the fight that was played, whose files are good.
BAD_OPENINGS = ("bad-opening", "opening-is-a-folder", "bad-sheet")


@pytest.mark.parametrize("how", BROKEN)
def test_a_bad_campaign_is_one_line_and_is_not_changed(tmp_path, how):
    broken(how)(sample(tmp_path, GATE, "bad"))
    before = files(tmp_path)
    named = ["--encounter", "north-gate"] if how in BAD_OPENINGS else []
    for verb, words in (("show", named), ("run", []), ("export", named)):
        ran = affray(verb, "bad", *words, "--campaigns", tmp_path, given="start\n")
        assert (ran.status, ran.out) == (1, "")
        assert ran.complaint
    ran = affray("check", "bad", "--campaigns", tmp_path)
    assert ran.status == (0 if how == "no-encounters" else 1)
    assert all(len(line) < 1000 for line in ran.out.splitlines())
    assert affray("list", "--campaigns", tmp_path).status == 0
    assert files(tmp_path) == before


def test_a_missing_campaign_is_one_line(tmp_path):
    (tmp_path / "empty").mkdir()
    for name in ("nowhere", "empty", "./empty", "/nowhere/at/all"):
        for verb in ("show", "run", "export", "check"):
            ran = affray(verb, name, "--campaigns", tmp_path)
            assert (ran.status, ran.out) == (1, "")
            assert ran.complaint.startswith("there is no campaign")


def test_a_bad_roster_file_is_reported_and_the_rest_is_played(tmp_path):
    path = sample(tmp_path, GATE)
    (path / "roster" / "wolf.toml").write_text('format = 1\nlife = "high"\n')
    ran = affray("run", GATE, "--campaigns", tmp_path, given="add wolf\nadd guard\n")
    assert ran.status == 1
    assert ran.complaint.startswith("roster/wolf.toml:2: life: expected a whole number")
    assert [one["ok"] for one in ran.answers] == [False, True]


def test_commands_for_a_bad_encounter_never_reach_another_one(tmp_path):
    path = sample(tmp_path, GATE)
    opening = path / "encounters/north-gate/opening.toml"
    good = opening.read_text(encoding="utf-8")
    opening.write_text("half = {")
    ran = affray("run", GATE, "--campaigns", tmp_path, given="note lost\n")
    assert (ran.status, ran.out) == (1, "")
    assert ran.complaint.startswith("encounters/north-gate/opening.toml:1:")
    assert affray("show", GATE, "--encounter", "bridge", "--campaigns", tmp_path).status == 0
    opening.write_text(good, encoding="utf-8")
    assert commands(tmp_path, GATE, "note found")[0]["n"] == 1


def test_check_names_every_problem_of_every_campaign(tmp_path):
    path = sample(tmp_path, GATE)
    sample(tmp_path, "rooftop-watch")
    (path / "roster" / "guard.toml").write_text('format = 1\nlife = "high"\n')
    (path / "roster" / "wolf.toml").write_text("half = {")
    (path / "seats.toml").write_text("junk\n")
    (path / "encounters" / "north-gate" / "opening.toml").write_text("format = 2\n")
    change(path / "encounters" / "bridge" / "log.toml", "who", "whom")
    ran = affray("check", "--campaigns", tmp_path)
    assert ran.status == 1
    assert [line.partition(":")[0] for line in sorted(ran.out.splitlines())] == [
        f"{GATE}/encounters/bridge/log.toml",
        f"{GATE}/encounters/north-gate/opening.toml",
        f"{GATE}/roster/guard.toml",
        f"{GATE}/roster/wolf.toml",
        f"{GATE}/seats.toml",
    ]
    assert affray("check", "rooftop-watch", "--campaigns", tmp_path).status == 0
    assert affray("check", GATE, "--campaigns", tmp_path).status == 1


def test_check_of_an_empty_folder_finds_no_problem(tmp_path):
    assert affray("check", "--campaigns", tmp_path).out == "0 campaigns checked, no problems\n"


def test_a_started_program_works_from_anywhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran = start("new", "here", "--system", "xcom", "--campaigns", "mine")
    assert ran.status == 0
    assert (tmp_path / "mine" / "here" / "campaign.toml").is_file()
    assert start("show", "mine/here").status == 0


def test_the_game_of_a_new_campaign_can_be_given_by_the_beginning_of_its_name(tmp_path):
    ran = affray("new", "here", "--system", "way", "--campaigns", tmp_path)
    assert (ran.status, load(tmp_path / "here").system) == (0, "waygate")
    ran = affray("new", "there", "--system", "at", "--campaigns", tmp_path)
    assert ran.status == 1
    assert "at could be Atlantis (atlantis) or Atomic D20 (atomic_d20)" in ran.complaint
    assert not (tmp_path / "there").exists()


@pytest.mark.parametrize("typed", ["5e", "dnd", "D&D", "d20 fantasy"])
def test_a_game_is_found_by_a_common_other_name_and_its_own_is_printed(tmp_path, typed):
    ran = affray("new", "here", "--system", typed, "--campaigns", tmp_path)
    assert (ran.status, load(tmp_path / "here").system) == (0, "srd5")
    assert "for SRD 5.2 (d20 fantasy) (srd5)" in ran.out


def test_a_name_that_fits_several_games_lists_them(tmp_path):
    ran = affray("new", "here", "--system", "d20", "--campaigns", tmp_path)
    assert ran.status == 1
    assert "d20 could be Atomic D20 (atomic_d20), Any game (simple) or SRD 5.2" in ran.complaint


def test_a_command_that_is_printed_can_be_pasted(tmp_path):
    folder = tmp_path / "my campaigns"
    made = affray("new", "the gate", "--system", "atlantis", "--campaigns", folder)
    assert f"affray 'the gate' --campaigns '{folder}';" in made.out
    printed = made.out.split("open it with ")[1].split("; R shows")[0]
    opened = affray(*shlex.split(printed)[1:])
    assert "need a terminal" in opened.complaint, "the campaign is found"
    file = tmp_path / "the gate.zip"
    kept = affray("backup", "the gate", file, "--campaigns", folder)
    printed = kept.out.split(" files; ")[1].split(" restores")[0]
    again = affray(*shlex.split(printed)[1:], "--campaigns", folder)
    assert "open it with affray 'the gate-" in again.out or "open it with affray 'the gate " in again.out


def test_a_campaign_called_like_a_verb_is_opened_with_open(tmp_path):
    assert "open it with affray open list" in affray(
        "new", "list", "--system", "xcom", "--campaigns", tmp_path
    ).out.replace(f" --campaigns {tmp_path}", "")


def test_a_campaign_is_found_by_its_title_in_any_case(tmp_path):
    affray("new", "gate", "--system", "atlantis", "--title", "At the Gate: Night?", "--campaigns", tmp_path)
    for title in ("At the Gate: Night?", "at the gate:  night?"):
        assert affray("check", title, "--campaigns", tmp_path).status == 0
    assert affray("check", "Okado at the gate", "--campaigns", tmp_path).status == 0
    assert affray("check", "the Gate: N", "--campaigns", tmp_path).status == 1


def test_a_title_that_two_campaigns_have_asks_for_the_folder(tmp_path):
    for name in ("gate", "other"):
        affray("new", name, "--system", "atlantis", "--title", "The Gate", "--campaigns", tmp_path)
    assert "name the folder, " in affray("check", "the gate", "--campaigns", tmp_path).complaint
    assert affray("check", "gate", "--campaigns", tmp_path).status == 0


def test_new_creates_the_party_too_and_nothing_if_a_line_is_invalid(tmp_path):
    ran = affray(
        "new",
        "ford",
        "--system",
        "atlantis",
        "--party",
        "Sera melee 45 life 60; Bram",
        "--campaigns",
        tmp_path,
    )
    assert "with Sera and Bram" in ran.out
    roster = load(tmp_path / "ford").roster
    assert {entry.side for entry in roster.values()} == {"players"}
    assert (roster["sera"].sheet.life, roster["bram"].sheet.life) == (60, 50)
    wrong = affray(
        "new", "mill", "--system", "atlantis", "--party", "Bram; Sera meele 45", "--campaigns", tmp_path
    )
    assert "line 2: " in wrong.err
    assert (wrong.status, "did you mean melee?" in wrong.err) == (1, True)
    assert not (tmp_path / "mill").exists()


def test_new_prompts_only_at_a_terminal(tmp_path):
    ran = affray("new", "--campaigns", tmp_path)
    assert ran.status == 2
    assert "NAME and --system must be given" in ran.err


def test_new_prompts_for_name_game_title_and_party(tmp_path, monkeypatch):
    answers = iter(
        ["", "ford", "no such", "Atlantis", "The ford", "Sera meele 3", "Sera life 40", "Bram", ""]
    )
    monkeypatch.setattr("builtins.input", lambda question: next(answers))
    monkeypatch.setattr(new, "is_at_terminal", lambda: True)
    ran = affray("new", "--campaigns", tmp_path)
    assert (ran.status, "did you mean melee?" in ran.out) == (0, True)
    made = load(tmp_path / "ford")
    assert (made.title, made.system, sorted(made.roster)) == ("The ford", "atlantis", ["bram", "sera"])


def test_danger_names_the_chance_of_each_character_and_the_share_of_each_foe(tmp_path):
    sample(tmp_path, GATE)
    commands(tmp_path, GATE, "start")
    [found] = affray("danger", GATE, "--campaigns", tmp_path, "--json").answers
    okado = found["combatants"]["okado"]
    assert okado["exact"]
    assert abs(okado["chance"] - sum(share["chance"] for share in okado["by"])) < 0.001
    assert {"who", "action", "chance", "uses"} == {*okado["by"][0]}
    out = affray("danger", GATE, "--campaigns", tmp_path).out
    assert "if all go for Okado: " in out
    commands(tmp_path, GATE, "end")
    assert affray("danger", GATE, "--campaigns", tmp_path, "--json").answers == [{"combatants": {}}]
    out = affray("danger", GATE, "--campaigns", tmp_path).out
    assert out.endswith("The fight is over: there is no danger any more.\n")


def test_a_forecast_is_the_same_for_the_same_seed_and_changes_nothing(tmp_path):
    folder = sample(tmp_path, GATE)
    before = files(folder)
    asked = ("forecast", GATE, "--campaigns", tmp_path, "--json", "--fights", "5", "--seed")
    once, again, other = (affray(*asked, seed).answers[0] for seed in ("7", "7", "8"))
    assert once == again
    assert {**other, "seed": 7} != once
    assert files(folder) == before
    assert list(once["tempers"]) == ["careless", "sensible", "ruthless"]
    assert 0 < once["tempers"]["sensible"]["margin"] <= 1
    assert once["rounds"]["p10"] <= once["rounds"]["mean"] <= once["rounds"]["p90"]
    assert set(once["combatants"]) == {"okado", "tamsin", "guard-1", "guard-2", "raider-captain", "wolf_h1"}
    assert once["left_out"] == ["movement", "offered reactions"]
    told = affray("forecast", GATE, "--campaigns", tmp_path, "--fights", "3").out
    assert "with sensible foes" in told
    assert "no movement" in told


def test_a_forecast_needs_both_sides_and_a_fight_that_goes_on(tmp_path):
    sample(tmp_path, GATE)
    commands(tmp_path, GATE, "start", "end")
    refused = affray("forecast", GATE, "--campaigns", tmp_path, "--encounter", "north-gate")
    assert refused.complaint == "the fight is over, so there is nothing to forecast"


def test_a_recap_says_where_the_fight_turned_if_asked(tmp_path):
    sample(tmp_path, GATE)
    commands(tmp_path, GATE, "start", "next", "damage okado 45", *["next"] * 9, "end")
    asked = ("recap", GATE, "--campaigns", tmp_path, "--fights", "3")
    assert "Where it turned" not in affray(*asked).out
    told = affray(*asked, "--chances").out
    assert "after round 1" in told
    assert "± " in told
    [found] = affray(*asked, "--chances", "--json").answers
    assert [each["round"] for each in found["chances"]["curve"]][:2] == [0, 1]
