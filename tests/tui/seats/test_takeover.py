"""The game master's own line: a second login takes the fight over from one that hangs."""

import os
import signal
from pathlib import Path

import pytest

from tests.command import environment, present, sample
from tests.tui.seats.opened import CAMPAIGN, Client, wait_for

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that can fork")


def table(campaign: Path) -> Client:
    """The game master's program on a terminal."""
    env = {**environment(XDG_STATE_HOME=str(campaign.parent / "state")), "TERM": "xterm-256color"}
    return Client([campaign], (110, 34), env, forked=True)


def test_one_key_takes_the_fight_over_and_the_other_program_watches(tmp_path: Path) -> None:
    campaign = sample(tmp_path, CAMPAIGN)
    first = table(campaign)
    first.until("Guard 1")
    wait_for(lambda: list((tmp_path / "state" / "affray" / "seats").glob("*.sock")), "the socket")
    first.press("n")
    first.until("Round 1")
    second = table(campaign)
    try:
        second.until("read-only")
        second.press("\x14")
        second.until("You have taken over the fight")
        first.until("you can only watch here")
        second.press("n")
        wait_for(lambda: present(tmp_path, CAMPAIGN)["turn"] == "tamsin", "the next turn")
    finally:
        first.close()
        second.close()


def test_a_program_that_was_stopped_is_made_to_end(tmp_path: Path) -> None:
    campaign = sample(tmp_path, CAMPAIGN)
    first = table(campaign)
    first.until("Guard 1")
    first.press("n")
    first.until("Round 1")
    os.kill(first.pid, signal.SIGSTOP)
    second = table(campaign)
    try:
        second.until("read-only")
        second.press("\x14")
        second.until("You have taken over the fight")
        second.press("n")
        wait_for(lambda: present(tmp_path, CAMPAIGN)["turn"] == "tamsin", "the next turn")
    finally:
        first.kill(signal.SIGCONT)
        first.close()
        second.close()
