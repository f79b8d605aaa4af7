"""Tab in a shell: verbs, options, campaigns, encounters, seats and games."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import may_skip
from tui.cli.main import main

# As bash does at Tab: set the line and call the function that is registered for the command.
ASK = """
PATH=$1:$PATH
eval "$(affray completion bash)"
while IFS= read -r line; do
    COMP_LINE=$line COMP_POINT=${#line} COMP_TYPE=9 COMPREPLY=()
    read -ra COMP_WORDS <<<"$line"
    [[ $line == *" " ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _python_argcomplete affray
    echo "${COMPREPLY[*]}"
done
"""


def answers(lines: list[str], **environment: str) -> list[list[str]]:
    """Return the words that bash offers at the end of each line."""
    ran = subprocess.run(
        ["bash", "-c", ASK, "bash", str(Path(sys.executable).parent)],
        input="".join(f"{line}\n" for line in lines),
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert not ran.stderr
    return [line.split() for line in ran.stdout.splitlines()]


def test_bash_completes_every_kind_of_word(tmp_path: Path) -> None:
    (tmp_path / "okay").mkdir()
    (tmp_path / "okay" / "campaign.toml").write_text("format = 1\n", encoding="utf-8")
    verbs, shown, encounters, seats, games, formats = answers(
        [
            "affray o",
            "affray show ok",
            "affray okado-at-the-gate --encounter ",
            "affray watch okado-at-the-gate --seat ",
            "affray new docks --system a",
            "affray export okado-at-the-gate --format ",
        ],
        AFFRAY_CAMPAIGNS=str(tmp_path),
    )
    assert verbs == ["open", "odds", "okado-at-the-gate", "okay"]
    assert shown == ["okado-at-the-gate", "okay"]
    assert encounters == ["bridge", "north-gate"]
    assert seats == ["okado", "tamsin"]
    assert {"arden", "atlantis", "atomic_d20"} <= set(games)
    assert formats == ["md", "html", "jsonl", "toml", "csv"]


def test_options_before_the_verb_and_the_folder_they_name_are_known(tmp_path: Path) -> None:
    (tmp_path / "docks").mkdir()
    (tmp_path / "docks" / "campaign.toml").write_text("format = 1\n", encoding="utf-8")
    options, before, behind, opened = answers(
        [
            "affray --lin",
            f"affray --campaigns {tmp_path} show do",
            f"affray show --campaigns {tmp_path} do",
            f"affray --campaigns {tmp_path} do",
        ]
    )
    assert options == ["--linear"]
    assert before == behind == opened == ["docks"]


def test_files_are_completed_from_home_too_and_a_theme_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "old.zip").touch()
    (tmp_path / "olden").mkdir()
    files, folders, themes = answers(
        ["affray restore ~/ol", "affray --campaigns ~/ol", "affray --theme affray-l"], HOME=str(tmp_path)
    )
    assert sorted(files) == ["~/old.zip", "~/olden/"]
    assert folders == ["~/olden/"]
    assert themes == ["affray-light"]


@pytest.mark.skipif(may_skip(shutil.which("fish") is None), reason="fish is not installed")
def test_fish_completes_a_verb(tmp_path: Path) -> None:
    asks = "set PATH $argv[1] $PATH; affray completion fish | source; complete -C 'affray reca'"
    ran = subprocess.run(
        ["fish", "-N", "-c", asks, str(Path(sys.executable).parent)],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "HOME": str(tmp_path)},
    )
    assert [line.split("\t")[0] for line in ran.stdout.splitlines()] == ["recap"]


@pytest.mark.skipif(may_skip(shutil.which("zsh") is None), reason="zsh is not installed")
def test_zsh_without_compinit_loads_it_to_complete() -> None:
    asks = 'PATH=$1:$PATH; eval "$(affray completion zsh)"; print $_comps[affray]'
    ran = subprocess.run(
        ["zsh", "-f", "-c", asks, "zsh", str(Path(sys.executable).parent)],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (ran.stdout, ran.stderr) == ("_affray\n", "")


@pytest.mark.parametrize(("shell", "word"), [("bash", "complete"), ("zsh", "compdef"), ("fish", "complete")])
def test_each_shell_gets_its_own_lines(shell: str, word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    assert word in capsys.readouterr().out


def test_another_shell_is_refused_with_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "tcsh"]) == 2
    assert "'bash', 'zsh', 'fish'" in capsys.readouterr().err
