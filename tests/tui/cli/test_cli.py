"""The command: help, exit statuses, and missing streams."""

import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from tests.command import PATIENCE, ROOT, affray, environment, program, start
from tui.cli.main import VERBS, _without_options
from tui.cli.parser import parser_of

HEAVY = ("textual", "rich", "asyncssh", "asyncio", "tomlkit")


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_a_help(verb):
    ran = affray(verb, "--help")
    assert ran.status == 0
    assert ran.out.startswith(f"usage: affray {verb}")
    assert not ran.err


@pytest.mark.parametrize("words", [("--help",), ("-h",), ("--campaigns", "somewhere", "--help")])
def test_the_help_names_every_verb(words):
    ran = affray(*words)
    assert ran.status == 0
    assert all(f"\n    {verb} " in ran.out for verb in VERBS)


@pytest.mark.parametrize("columns", [20, 40, 80, 140])
def test_the_help_lists_every_option_and_breaks_no_word(columns, monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")
    whole = set(affray("--help").out.split())
    monkeypatch.setenv("COLUMNS", str(columns))
    ran = affray("help")
    assert set(ran.out.split()) == whole
    for verb in VERBS:
        options = vars(parser_of(VERBS, verb))["_subparsers"]._group_actions[0].choices[verb]._actions
        assert all(option in ran.out for action in options for option in action.option_strings)
    if columns >= 80:
        assert max(map(len, ran.out.splitlines())) <= columns


def test_help_version_and_play_are_words_too(tmp_path):
    assert affray("help").out == affray("--help").out
    assert affray("help", "roll").out == affray("roll", "--help").out
    assert affray("version").out == affray("--version").out
    assert affray("play", "no-such", "--campaigns", tmp_path).complaint == (
        'there is no campaign "no-such"; affray list shows the campaigns'
    )
    assert "did you mean affray help?" in affray("hlep", "--campaigns", tmp_path).complaint
    assert "did you mean affray open?" in affray("start", "--campaigns", tmp_path).complaint


def test_help_for_an_unknown_verb_names_that_verb(tmp_path):
    assert affray("help", "runn").complaint.startswith('there is no verb "runn"; did you mean affray run?')
    assert affray("help", "xyzzy").complaint.startswith('there is no verb "xyzzy"')


def test_import_with_one_word_names_the_formats(tmp_path):
    ran = affray("import", "party.json")
    assert "affray import CAMPAIGN FILE; use a stat block as text, the JSON of 5etools" in ran.complaint


def test_the_version_is_that_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert affray("--version").out == f"affray {project['version']}\n"


def test_a_program_that_is_not_installed_answers_version_too(monkeypatch):
    def missing(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    ran = affray("--version")
    assert (ran.status, ran.out) == (0, "affray (version unknown: not installed)\n")


@pytest.mark.parametrize(
    "words",
    [
        "run",
        "show",
        "export",
        "new",
        "new only-a-name",
        "new --system",
        "resolve",
        "odds",
        "roll",
        "roll --odds",
        "roll 2d6 --seed",
        "roll 2d6 --seed 1.5",
        "run okado-at-the-gate --seed often",
        "list something",
        "where to go",
        "systems one two",
        "show one two",
        "export one --format pdf",
        "check one two",
        "--bogus",
        "one two",
        "list --bogus",
        "list --campaigns",
        "--campaigns",
        "list --campaign here",
    ],
)
def test_wrong_usage_is_status_2_and_one_line(words):
    ran = affray(*words.split())
    assert ran.status == 2
    assert ran.complaint
    assert not ran.out


@pytest.mark.parametrize("strange", ["x" * 3000, "\x1b[31mred", "a\nb", "🐉", "[bold]", "\udcff", "\x85"])
@pytest.mark.parametrize(
    "words",
    [
        ("show", "{}"),
        ("run", "{}"),
        ("check", "{}"),
        ("export", "{}"),
        ("{}",),
        ("show", "okado-at-the-gate", "--encounter", "{}"),
        ("new", "{}\0", "--system", "xcom"),
        ("new", "fine", "--system", "{}"),
        ("systems", "{}"),
        ("resolve", "{}"),
        ("odds", "{}"),
        ("roll", "{}"),
        ("roll", "{}", "--odds"),
    ],
)
def test_strange_words_cost_one_line(tmp_path, words, strange):
    folder = ("--campaigns", str(tmp_path)) if words[0] in ("show", "run", "check", "export", "new") else ()
    ran = affray(*(one.replace("{}", strange) for one in words), *folder)
    assert ran.status == 1
    assert ran.complaint
    assert not ran.out


def test_a_strange_option_costs_one_line():
    ran = affray("--" + "x" * 3000)
    assert ran.status == 2
    assert ran.complaint


def test_the_folder_of_campaigns_may_come_before_the_verb(tmp_path):
    before = affray("--campaigns", tmp_path, "where")
    assert before == affray("where", "--campaigns", tmp_path) == affray(f"--campaigns={tmp_path}", "where")
    assert before.out.startswith(str(tmp_path))


def test_the_screens_need_a_terminal(tmp_path):
    ran = affray("--campaigns", tmp_path)
    assert ran.status == 1
    assert "terminal" in ran.complaint


def test_a_missing_campaign_is_reported_before_a_missing_terminal(tmp_path):
    assert 'no campaign "nowhere"' in affray("nowhere", "--campaigns", tmp_path).complaint


def test_an_unexpected_error_is_one_line_too(monkeypatch):
    monkeypatch.setattr("tui.cli.roll.roll", lambda *_: 1 // 0)
    ran = affray("roll", "2d6")
    assert ran.status == 1
    assert ran.complaint.startswith("unexpected ZeroDivisionError")


def test_an_interrupt_is_quiet(monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("tui.cli.roll.roll", interrupted)
    ran = affray("roll", "2d6")
    assert (ran.status, ran.out, ran.err) == (130, "", "")


@pytest.mark.parametrize("words", [("list",), ("systems", "--json"), ("--help",), ("roll", "1000d6")])
def test_a_closed_pipe_is_not_an_error(words):
    with subprocess.Popen(
        program(*words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as process:
        process.stdout.close()
        assert process.wait(PATIENCE) == 0
        assert process.stderr.read() == b""


def test_a_full_disk_is_one_line():
    for words in (("list",), ("--version",)):
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run(
                program(*words),
                stdout=full,
                stderr=subprocess.PIPE,
                env=environment(),
                timeout=PATIENCE,
                check=False,
            )
        assert done.returncode == 1
        assert done.stderr == b"affray: the output: no space left on the disk\n"


def test_closed_streams_cause_no_traceback(tmp_path):
    closing = "import os, sys; [os.close(one) for one in (0, 1, 2)]; os.execv(sys.argv[1], sys.argv[1:])"
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            closing,
            *program("new", "quiet", "--system", "xcom", "--campaigns", tmp_path),
        ],
        env=environment(),
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0
    assert b"affray" not in b"".join(one.read_bytes() for one in tmp_path.rglob("*.toml"))


def test_without_input_there_is_nothing_to_answer():
    closing = "import os, sys; os.close(0); os.execv(sys.argv[1], sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-c", closing, *program("resolve", "xcom")],
        env=environment(),
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_character_that_the_terminal_cannot_show_is_replaced():
    ran = start("show", "okado-at-the-gate", PYTHONIOENCODING="ascii")
    assert ran.status == 0
    assert "Okado" in ran.out
    assert "?" in ran.out


@pytest.mark.parametrize("words", ["roll 2d6", "systems", "resolve xcom", "odds xcom", "where"])
def test_modules_that_a_verb_does_not_need_are_not_imported(words):
    report = (
        "import sys; from tui.cli.main import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", report, *words.split()],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment(),
        timeout=PATIENCE,
        check=True,
    )
    loaded = {name.split(".")[0] for name in done.stderr.decode().split()}
    assert not loaded & set(HEAVY)


@pytest.mark.parametrize("flag", ["-V", "--version"])
def test_the_version_has_a_short_flag_too(flag):
    assert affray(flag).out == affray("--version").out


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("rol", "2d6"), "affray roll"),
        (("shwo", "okado", "--json"), "affray show"),
        (("chekc", "--repair"), "affray check"),
    ],
)
def test_a_mistyped_verb_gets_a_suggestion(words, meant):
    ran = affray(*words)
    assert ran.status == 2
    assert f"did you mean {meant}?" in ran.complaint


def test_an_unknown_verb_with_more_words_is_named():
    assert affray("delete", "okado").complaint == 'there is no verb "delete" (see affray --help)'
    assert affray("okado", "--foo").complaint == "unrecognized arguments: --foo (see affray --help)"


def test_the_word_version_never_suggests_itself():
    assert affray("version", "--json").complaint == "version takes no options (see affray --help)"
    assert affray("version", "please").complaint == "version takes no other words (see affray --help)"


@pytest.mark.parametrize("verb", ["systems", "resolve", "odds"])
def test_a_verb_finds_a_game_by_the_names_that_people_use(verb):
    assert affray(verb, "5e").status == affray(verb, "srd5").status == 0
    several = "Atomic D20 (atomic_d20), Any game (simple) or SRD 5.2 (d20 fantasy) (srd5)"
    assert affray(verb, "d20").complaint == f"d20 could be {several}"
    assert affray(verb, "zzz").complaint.startswith('no game is called "zzz"; games: arden')


def test_a_mistyped_verb_that_could_be_a_campaign_gets_a_suggestion_too(tmp_path):
    ran = affray("lst", "--campaigns", tmp_path)
    assert ran.status == 1
    assert 'there is no campaign "lst"' in ran.complaint
    assert "did you mean affray list?" in ran.complaint
    assert "did you mean affray list" not in affray("open", "lst", "--campaigns", tmp_path).complaint


def test_an_extra_word_after_a_verb_is_not_taken_for_a_mistyped_verb():
    assert "unrecognized arguments: more" in affray("list", "more").complaint


@pytest.mark.parametrize("words", [["open"], ["open", "okado"], ["open", ""], ["open", "a b"]])
def test_without_options_the_screens_get_the_arguments_that_argparse_would_give_them(words):
    read = vars(parser_of(VERBS, "open").parse_args(words))
    assert {**vars(_without_options(words)), "version": None} == read


@pytest.mark.parametrize("words", [["open", "--seed", "1"], ["open", "a", "b"], ["open", "--"], ["list"]])
def test_all_other_words_are_left_to_argparse(words):
    assert _without_options(words) is None
