"""`affray run`: a command per line, an answer per line, each saved before it is answered."""

import getpass
import os
import platform
import shutil
import signal
import tomllib

import pytest

from tests.command import affray, commands, present, sample, start, talking

GATE = "okado-at-the-gate"
LOG = "encounters/north-gate/log.toml"


@pytest.fixture
def folder(tmp_path):
    """Return a folder with a campaign that has a prepared encounter and a finished one."""
    sample(tmp_path, GATE)
    return tmp_path


def events(folder, campaign=GATE, log=LOG):
    """Return the events of a log, read by Python's own TOML parser."""
    path = folder / campaign / log
    return tomllib.loads(path.read_text(encoding="utf-8"))["event"] if path.exists() else []


def test_an_accepted_command_is_one_event_with_its_sentence_and_its_dice(folder):
    answers = commands(
        folder, GATE, "note the gate stands open", "roll 2d6", "start", "attack guard-1", "undo", "redo"
    )
    assert all(list(one) == ["ok", "n", "text", "state"] for one in answers)
    assert [one["n"] for one in answers] == [1, 2, 3, 4, 5, 6]
    assert answers[0]["state"] == {"round": 0, "turn": None}
    assert answers[3]["state"] == {"round": 1, "turn": "okado"}
    kept = events(folder)
    assert [one["n"] for one in kept] == [1, 2, 3, 4, 5, 6]
    assert [one["text"] for one in kept] == [one["text"] for one in answers]
    assert [one["sides"] for one in kept[1]["rolls"]] == [6, 6]
    assert affray("show", GATE, "--campaigns", folder, "--json").answers[0]["events"] == 6


def test_a_plan_has_an_answer_for_each_event_and_one_undo(folder):
    lines = ("start", "next", "next", "plan 1", "undo", "plan", "undo", "plan 5", "plan nobody")
    answers = commands(folder, GATE, *lines, words=("--seed", "1"))
    taken = answers[-3]
    kept = events(folder)
    batches = [event.get("batch", 0) for event in kept]
    # A plan for one guard, its undo, the plan of the whole side, and its undo.
    assert batches == [0, 0, 0, 4, 4, 4, *[7] * 6, 7]
    assert [each["n"] for each in answers if each["ok"]] == list(range(1, 14))
    assert not any("waits" in each for each in answers)
    assert taken["text"].startswith("Undone: 6 commands")
    assert taken["state"] == {"round": 1, "turn": "guard-1"}
    assert [each["error"][:30] for each in answers[-2:]] == [
        "Tamsin is on the players' side",
        'nobody here is called "nobody"',
    ]


def test_a_refused_command_leaves_no_trace(folder):
    commands(folder, GATE, "start")
    before, log = present(folder, GATE), (folder / GATE / LOG).read_bytes()
    lines = [
        "nonsense",
        "attack",
        "attack nobody",
        "attack guard-1 by nobody",
        "attack guard-1 weapon=spoon",
        "attack guard-1 zz=1",
        "damage guard-1",
        "damage guard-1 many",
        "heal nobody 3",
        "set okado life high",
        "set okado zz 1",
        "set okado life 99999",
        "condition okado",
        "clear okado prone",
        "add dragon",
        "add guard x0",
        "add guard x9999",
        "remove nobody",
        "order okado before nobody",
        "return okado",
        "start",
        "undo 0",
        "undo 2",
        "redo",
        "undo x",
        "roll 2d",
        "roll 2d6 dice=1",
        "roll 2d6 dice=1,2,3",
        "roll 2d6 dice=7,1",
        "roll 2d6 dice=0,1",
        "next by nobody",
        '"',
        "note",
        "x" * 5000,
        "attack guard-1 " + "very " * 500,
        "attack \x1b[31m\x7f\x85",
    ]
    for line, answer in zip(lines, commands(folder, GATE, *lines), strict=True):
        assert list(answer) == ["ok", "error"], (line, answer)
        assert answer["ok"] is False
        assert answer["error"].isprintable(), line
        assert 0 < len(answer["error"]) < 1000
        assert not answer["error"].startswith("unexpected"), (line, answer)
    assert present(folder, GATE) == before
    assert (folder / GATE / LOG).read_bytes() == log


def test_each_line_is_answered_once_and_before_the_next_arrives(folder):
    with talking("run", GATE, "--campaigns", folder) as talk:
        assert talk.say(b"start")["ok"] is True
        assert [one["n"] for one in events(folder)] == [1]
        assert talk.say(b"nonsense")["ok"] is False
        assert talk.say(b"\n \n\t\r\nnext\r")["n"] == 2
        assert talk.say(b"\xff\xfe") == {"ok": False, "error": "the line is not UTF-8"}
        assert talk.say(b"note one\rand\x0btwo\xe2\x80\xa8three")["text"] == "one and two three"
        assert talk.say(b"note \x1b[31mred\x7f\xc2\x85")["text"] == "[31mred"
        talk.send(b"no")
        talk.send(b"te in pieces\nnote two at\nnote once\nnote and the last")
        assert [talk.hear()["text"] for _ in range(3)] == ["in pieces", "two at", "once"]
        talk.finish()
        assert talk.hear()["text"] == "and the last"
        assert talk.hear() is None
        assert talk.process.wait() == 1, "two of the lines could not be carried out"
        assert talk.process.stderr.read() == b""


def test_output_holds_no_control_character_and_nothing_but_ascii(folder):
    ran = start("run", GATE, "--campaigns", folder, given=b"note \xc3\xa9\xf0\x9f\x90\x89 \x1b\x7f\xc2\x85\n")
    assert ran.out.isascii()
    assert ran.out.rstrip("\n").isprintable()
    assert ran.answers[0]["text"] == "é🐉"


def test_a_line_that_is_too_long_is_refused(folder, monkeypatch):
    monkeypatch.setattr("tui.cli.output.LONGEST_LINE", 1000)
    answers = commands(folder, GATE, "note " + "x" * 5000, "note fine")
    assert [one["ok"] for one in answers] == [False, True]


def test_hidden_combatants_of_the_goblin_sample_do_not_move_late_arrivals(tmp_path):
    ford = "the-goblin-ford"
    late = ("add wolf as Late dice=10", "add goblin as Later dice=15", "next", "add wolf x2 in round 2")
    begun = ("start", "add wolf as Shade hidden", "add wolf as Ghost hidden")
    moved = ("order h1 before goblin-1", "order h2 before tobin", "order h2 2")
    orders = []
    for name, lines in (("plain", begun[:1]), ("hidden", (*begun, *moved))):
        sample(tmp_path / name, ford)
        told = commands(tmp_path / name, ford, *lines, *late, words=("--seed", "5"))
        assert all(answer["ok"] for answer in told), told
        shown = present(tmp_path / name, ford)
        seen = {each["id"] for each in shown["combatants"] if not each["hidden"]}
        orders.append([who for who in shown["order"] if who in seen])
    assert orders[0] == orders[1]


def test_a_seed_repeats_a_night(folder):
    lines = ["start", *["attack guard-1", "next", "roll 20d20"] * 6]
    shutil.copytree(folder / GATE, folder / "again")
    shutil.copytree(folder / GATE, folder / "other")
    night = commands(folder, GATE, *lines, words=("--seed", "11"))
    assert commands(folder, "again", *lines, words=("--seed", "11")) == night
    assert commands(folder, "other", *lines, words=("--seed", "12")) != night
    assert present(folder, "again") == present(folder, GATE)


def test_a_dot_repeats_the_last_action_as_on_the_screens(folder):
    lines = (".", "start", ".", "set okado attacks_per_round 2", "attack guard-1 modifier=5 dice=5", ".")
    answers = commands(folder, GATE, *lines, words=("--seed", "3"))
    assert [answer["ok"] for answer in answers] == [False, True, False, True, True, True]
    assert [answers[at]["error"] for at in (0, 2)] == ["nobody has the turn", "Okado has done nothing yet"]
    assert 'typed = "attack guard-1 modifier=5 by okado"' in (folder / GATE / LOG).read_text(encoding="utf-8")


def test_undo_stops_at_the_opening_and_redo_at_the_end_even_after_a_restart(folder):
    opening = present(folder, GATE)
    assert commands(folder, GATE, "undo")[0]["ok"] is False
    commands(folder, GATE, "start", "damage guard-1 3", "next", "note so far")
    after = present(folder, GATE)
    answers = commands(folder, GATE, "redo", "undo 3", "undo", "undo")
    assert [one["ok"] for one in answers] == [False, True, True, False]
    assert present(folder, GATE) == opening
    answers = commands(folder, GATE, "undo", "redo", "redo", "redo", "redo", "redo")
    assert [one["ok"] for one in answers] == [False, True, True, True, True, False]
    assert present(folder, GATE) == after
    assert [one["n"] for one in events(folder)] == list(range(1, 11))


def test_a_fight_that_is_over_can_still_be_undone_after_a_restart(folder):
    # The other fight of this sample is over too, and its log says that it was played later.
    bridge = folder / GATE / "encounters/bridge/log.toml"
    assert max(one["time"] for one in events(folder, log="encounters/bridge/log.toml"))
    os.utime(bridge, ns=(0, 0))
    commands(folder, GATE, "start", "end")
    assert present(folder, GATE)["over"] is True
    assert commands(folder, GATE, "undo")[0]["text"].startswith("Undone: the end")
    assert commands(folder, GATE, "undo")[0]["text"].startswith("Undone: the start")
    assert present(folder, GATE, "--encounter", "north-gate")["round"] == 0


def test_an_encounter_can_be_named(folder):
    before = present(folder, GATE)
    assert commands(folder, GATE, "note hello", words=("--encounter", "bridge"))[0]["n"] > 1
    assert present(folder, GATE) == before
    ran = affray("run", GATE, "--encounter", "south-gate", "--campaigns", folder)
    assert (ran.status, ran.out) == (1, "")
    assert 'no encounter "south-gate"' in ran.complaint


def test_a_second_writer_is_refused_with_the_owner_and_a_reader_still_works(folder):
    with talking("run", GATE, "--campaigns", folder) as talk:
        assert talk.say(b"start")["ok"]
        second = affray("run", GATE, "--campaigns", folder, given="next\n")
        assert (second.status, second.out) == (1, "")
        for who in (str(talk.process.pid), platform.node()):
            assert who in second.complaint
        shown = present(folder, GATE)
        assert shown["turn"] == "okado"
        assert talk.say(b"next")["n"] == 2
        assert present(folder, GATE) != shown
        assert affray("export", GATE, "--campaigns", folder).status == 0
        assert affray("check", GATE, "--campaigns", folder).status == 0


def test_the_refusal_of_a_second_writer_names_the_user(folder, monkeypatch):
    monkeypatch.setenv("LOGNAME", "sam")
    assert getpass.getuser() == "sam"
    with talking("run", GATE, "--campaigns", folder) as talk:
        assert talk.say(b"start")["ok"]
        assert " sam " in affray("run", GATE, "--campaigns", folder).complaint


def test_only_acknowledged_commands_survive_a_killed_program(folder):
    said = []
    for number in range(3):
        with talking("run", GATE, "--campaigns", folder) as talk:
            for line in (b"start", b"next", b"attack guard-1", b"note night %d" % number):
                answer = talk.say(line)
                said += [answer["text"]] if answer["ok"] else []
            talk.process.kill()
    assert [one["text"] for one in events(folder)] == said
    assert commands(folder, GATE, "note on")[0]["n"] == len(said) + 1


def test_a_program_killed_in_the_middle_of_its_work_keeps_what_it_has_acknowledged(folder):
    heard = []
    for number in range(3):
        with talking("run", GATE, "--campaigns", folder) as talk:
            talk.send(b"".join(b"note %d.%d\n" % (number, at) for at in range(400)))
            heard += [talk.hear()["text"] for _ in range(5 + number * 40)]
            talk.process.kill()
            while answer := talk.hear():
                heard.append(answer["text"])
        commands(folder, GATE, "note again")
        heard.append("again")
        kept = [one["text"] for one in events(folder)]
        # The one command that was being saved may be there; it is as whole as the others.
        assert [one for one in kept if one in set(heard)] == heard
        heard = kept
    assert len(heard) <= 3 * 402


@pytest.mark.parametrize("verb", [("run", GATE), ("resolve", "xcom")])
def test_an_interrupt_ends_run_quietly_and_releases_the_campaign(folder, verb):
    words = ("--campaigns", folder) if verb[0] == "run" else ()
    with talking(*verb, *words) as talk:
        talk.say(b"{}")
        talk.process.send_signal(signal.SIGINT)
        assert talk.process.wait() == 130
        assert talk.process.stderr.read() == b""
    assert commands(folder, GATE, "note mine now")[0]["ok"]


def test_a_closed_pipe_ends_run_quietly_with_everything_saved(folder):
    with talking("run", GATE, "--campaigns", folder) as talk:
        assert talk.say(b"note one")["ok"]
        talk.process.stdout.close()
        talk.send(b"note two\n")
        assert talk.process.wait() == 0
        assert talk.process.stderr.read() == b""
        talk.process.stdout = None
    assert [one["text"] for one in events(folder)] == ["one", "two"]


def test_a_torn_end_is_reported_skipped_and_kept(folder):
    commands(folder, GATE, "start", "next", "note the last one")
    log = folder / GATE / LOG
    whole = log.read_bytes()
    before = present(folder, GATE)
    torn_at = whole.rindex(b"[[event]]")
    for cut in (1, 9, 40, len(whole) - torn_at - 12):
        log.write_bytes(whole[:-cut] if cut > 1 else whole[:-2])
        ran = affray("show", GATE, "--campaigns", folder, "--json")
        assert ran.status == 0
        assert "cut short" in ran.complaint
        assert ran.answers[0] | {"events": 0} == {**before, "events": 0}
        assert log.read_bytes() != whole
        kept = log.read_bytes()[torn_at:]
        ran = affray("run", GATE, "--campaigns", folder, given="note next\n")
        assert ran.answers[0]["n"] == 3
        assert "cut short" in ran.complaint
        [aside] = log.parent.glob("torn-*")
        assert kept.strip() in aside.read_bytes()
        aside.unlink()
        assert affray("show", GATE, "--campaigns", folder).err == ""
        log.write_bytes(whole)


def test_every_file_that_is_not_toml_may_be_deleted(folder):
    commands(folder, GATE, "start", *["next", "damage guard-1 1", "note x"] * 150)
    with talking("run", GATE, "--campaigns", folder) as talk:
        assert talk.say(b"note killed")["ok"]
        talk.process.kill()
        talk.process.wait()
    before = present(folder, GATE)
    others = [one for one in (folder / GATE).rglob("*") if one.is_file() and one.suffix != ".toml"]
    for one in others:
        one.unlink()
    assert present(folder, GATE) == before
    assert commands(folder, GATE, "undo")[0]["text"].startswith('Undone: the note "killed"')


def test_a_disk_that_fails_costs_one_command_and_no_more(folder, monkeypatch):
    import errno

    from tui.campaign.log import file as log_file

    lines = ["start", "next", "next", "next"]
    real, calls = log_file.sync, []

    def sync(descriptor):
        calls.append(descriptor)
        if len(calls) in (2, 3):
            raise OSError(errno.ENOSPC, "full")
        real(descriptor)

    monkeypatch.setattr(log_file, "sync", sync)
    answers = commands(folder, GATE, *lines)
    assert [one["ok"] for one in answers] == [True, False, True, True]
    assert "no space" in answers[1]["error"]
    assert [one["n"] for one in answers if one["ok"]] == [1, 2, 3]
    assert answers[2]["state"]["turn"] == "tamsin"
    assert [one["n"] for one in events(folder)] == [1, 2, 3]


def test_an_unexpected_error_costs_one_command(folder, monkeypatch):
    import tui.session.attempt

    real = tui.session.attempt.performing

    def performing(encounter, log, roster, command, dice, choices):
        if "break" in command.line:
            raise KeyError("break")
        return real(encounter, log, roster, command, dice, choices)

    monkeypatch.setattr(tui.session.attempt, "performing", performing)
    answers = commands(folder, GATE, "start", "note break", "next")
    assert [one["ok"] for one in answers] == [True, False, True]
    assert [one["n"] for one in events(folder)] == [1, 2]


def test_the_wishes_of_strange_names_are_met(folder):
    name = "Zoë [b]🐉[/b] " + "x" * 300
    answers = commands(
        folder,
        GATE,
        f'add guard as "{name}"',
        'add guard as "\x1b[31mred\x07"',
        'condition all "on fire [b]\x1b"',
        "start",
        "show",
        "remove foes",
        "undo",
    )
    assert [one["ok"] for one in answers] == [True, True, True, True, False, True, True]
    assert all(one.get("text", "").isprintable() for one in answers)
    shown = affray("show", GATE, "--campaigns", folder)
    assert "[b]🐉[/b]" in shown.out
    [data] = affray("show", GATE, "--campaigns", folder, "--json").answers
    assert all(str(one["name"]).isprintable() for one in data["combatants"])
    assert any(one["name"].startswith("Zoë [b]🐉[/b] x") for one in data["combatants"])


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        ("note so\n\nroll 2d6\n", 0),
        ("note so\nnoet so\nnote so\n", 1),
        ("damage nobody 3\n", 1),
        (b"\xff\n", 1),
        ("redo\n", 1),
    ],
)
def test_the_exit_status_says_whether_every_line_was_carried_out(tmp_path, lines, status):
    sample(tmp_path, GATE)
    ran = affray("run", GATE, "--campaigns", tmp_path, given=lines)
    assert ran.status == status
    assert all(answer["ok"] for answer in ran.answers) == (status == 0)


def test_a_line_that_the_rules_refuse_counts_as_carried_out(tmp_path):
    sample(tmp_path, GATE)
    attacks = "start\n" + "attack guard-1 dice=2\n" * 3
    ran = affray("run", GATE, "--campaigns", tmp_path, given=attacks)
    assert [answer["ok"] for answer in ran.answers] == [True, True, True, False], ran.answers
    assert ran.status == 0


@pytest.mark.parametrize(
    ("campaign", "line", "says"),
    [
        ("the-toll-road", "check ability=charm", "dc: is needed"),
        ("the-thin-place", "test attribute=str", "threshold: expected a number"),
        (GATE, "attack guard-1 weapon=spoon", "weapon: no weapon"),
    ],
)
def test_a_needed_option_is_named_as_it_is_typed(tmp_path, campaign, line, says):
    sample(tmp_path, campaign)
    _, answer = commands(tmp_path, campaign, "start", line)
    assert answer["error"].startswith(says)


def test_the_rules_alone_name_the_field_of_the_request():
    asked = '{"action": "check", "options": {"ability": "charm"}}\n'
    (answer,) = affray("resolve", "arden", given=asked).answers
    assert answer["field"] == "options.dc"


# Lines that only read


def test_a_recap_with_chances_says_that_nothing_has_happened_yet(tmp_path):
    sample(tmp_path, GATE)
    (answer,) = commands(tmp_path, GATE, "recap chances 2")
    assert answer["text"] == "Nothing has happened that could turn the fight."
    assert answer["chances"]["curve"] == []


def test_forecast_danger_and_recap_answer_as_their_verbs_and_write_no_event(tmp_path):
    sample(tmp_path, GATE)
    asked = ("start", "next", "forecast 3", "danger tamsin", "FORECAST 0", "danger guard-1", "recap wide")
    started, _, forecast, danger, *refused = commands(tmp_path, GATE, *asked)
    printed = affray("forecast", GATE, "--campaigns", tmp_path, "--json", "--fights", "3").answers
    assert [forecast["forecast"]] == printed
    assert forecast["text"].startswith("The players win ")
    assert forecast["state"]["round"] == started["state"]["round"] == 1
    [shown] = affray("danger", GATE, "--campaigns", tmp_path, "--json").answers
    assert danger["danger"] == {"tamsin": shown["combatants"]["tamsin"]}
    assert "if all go for Tamsin" in danger["text"]
    assert [answer["ok"] for answer in refused] == [False, False, False]
    assert refused[0]["error"] == "0: expected a number of fights from 1 to 10,000"
    assert "no player's character" in refused[1]["error"]
    lines = ("damage tamsin 5", *["next"] * 5, "end", "share recap", "recap chances 2", "forecast 2")
    *ended, drawn = commands(tmp_path, GATE, *lines, "share recap")
    # Once the chances are known, the players get them too.
    typed = tomllib.loads((tmp_path / GATE / "encounters" / "north-gate" / "log.toml").read_text())["event"]
    assert [each["typed"].split("=")[0] for each in typed if each["command"] == "share"] == [
        "share recap",
        "share recap chances",
    ]
    assert drawn["text"] == "The recap is shown to the players."
    # None of the lines before was an event.
    assert ended[0]["n"] == 3
    assert ended[-2]["recap"]["encounter"] == "north-gate"
    assert ended[-2]["chances"] == ended[-1]["chances"]
    assert ended[-1]["text"].startswith(("It turned most in round", "No single event clearly moved it"))
