"""Seats that act: a game master's program, the server and OpenSSH's client together."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.command import PREPARED, commands, environment, present, sample
from tests.tui.seats.opened import CAMPAIGN, Client, Table, served, wait_for

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="seats need a system that can fork")
SIZE = (110, 34)


@contextmanager
def master(
    table: Table, acting: str = "ask", dice: str = "program", foe: str = "Guard 1"
) -> Iterator[Client]:
    """The game master's program on the table's campaign, in round 1 with a player's turn."""
    file = table.campaign / "campaign.toml"
    text = file.read_text().replace('dice = "program"', f'dice = "{dice}"')
    file.write_text(f'{text}\n[seats]\nacting = "{acting}"\n')
    commands(table.folder / "campaigns", table.campaign.name, "start")
    env = {**environment(XDG_STATE_HOME=str(table.folder / "state")), "TERM": "xterm-256color"}
    client = Client([table.campaign], SIZE, env, forked=True)
    try:
        client.until(foe)
        while client.read(0.2):
            pass  # the rest of its first picture, which it could not go on without painting
        if table.process.poll() is None:
            table.logged("the game master's program is connected")
        yield client
    finally:
        client.close()


def seated(table: Table, name: str = "okado", key: str = "key") -> Client:
    """A seat that has the table's view, and a table that hears it."""
    client = table.seat(name, key=table.key(key), size=SIZE)
    client.until("Guard 1")
    return client


def events(table: Table) -> str:
    """The log of the fight."""
    return (table.campaign / "encounters" / PREPARED[table.campaign.name] / "log.toml").read_text()


def until_kept(table: Table, text: str) -> None:
    """Wait until the log on the disk holds a text."""
    wait_for(lambda: text in events(table), f"{text!r} in the log")


def typed(seat: Client, line: str) -> None:
    """Type a line of the command language at a seat."""
    seat.forget()
    seat.press(":")
    seat.read(0.5)
    seat.press(f"{line}\r")
    while seat.read(0.3):
        pass  # a client whose terminal is full would send nothing


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with served(tmp_path, keys={"okado": "key", "tamsin": "other"}) as found:
        yield found


def test_a_request_waits_on_the_line_of_offers_and_enter_accepts_it(table: Table) -> None:
    with master(table) as gm:
        seat = seated(table)
        typed(seat, "attack 1")
        gm.until("Okado asks: attack on Guard 1")
        seat.until("Waiting for the game master")
        assert '\nwho = "okado"' not in events(table)
        gm.take()
        until_kept(table, '\nwho = "okado"')
        seat.until("Okado's attack on Guard 1")
        assert "against 36" not in seat.text


def test_a_request_is_refused_with_one_key_and_left_with_escape(table: Table) -> None:
    with master(table) as gm:
        seat = seated(table)
        typed(seat, "next")
        gm.until("Okado asks: end the turn")
        gm.press("\x7f")
        seat.until("The game master says no")
        typed(seat, "roll 1d6")
        gm.until("Okado asks: roll 1d6")
        gm.press("\x1b")
        gm.read(0.4)
        gm.forget()
        gm.press("P")
        gm.until("Okado asks: roll 1d6", "Seats:")
        assert present(table.folder / "campaigns", CAMPAIGN)["turn"] == "okado"


def test_own_actions_on_the_own_turn_are_carried_out_and_others_wait(table: Table) -> None:
    with master(table, "turn") as gm:
        okado, tamsin = seated(table), seated(table, "tamsin", "other")
        typed(okado, "next")
        okado.until("Turn over. The game master goes on.")
        gm.until("Okado asks: end the turn")
        gm.take()
        until_kept(table, '\nwho = "okado"')
        wait_for(lambda: present(table.folder / "campaigns", CAMPAIGN)["turn"] == "tamsin", "Tamsin's turn")
        typed(okado, "attack 1")
        gm.until("Okado asks: attack on Guard 1")
        typed(tamsin, "attack 2")
        until_kept(table, '\nwho = "tamsin"')


def test_commands_for_other_characters_and_of_the_game_master_are_refused_at_once(table: Table) -> None:
    with master(table, "free") as gm:
        seat = seated(table)
        for line, said in {
            "attack 3 by guard-1": "Guard 1 is not your character",
            "undo": "Only the game master can do that",
            "attack 3 dice=20,20": "Affray asks for real dice one by one",
        }.items():
            seat.forget()
            typed(seat, line)
            seat.until(said)
        assert "asks" not in gm.text
        assert events(table).count("[[event]]") == 1


def test_exec_rolls_at_the_table(table: Table) -> None:
    with master(table):
        ran = None

        def rolls() -> bool:
            nonlocal ran
            ran = table.ssh("okado", "roll 2d6+3", key=table.key())
            return ran.returncode == 0

        wait_for(rolls, "a roll at the table")
        assert ran is not None
        assert ran.stdout.startswith("Okado rolls 2d6 (")
        until_kept(table, '\nwho = "okado"')


def test_a_real_die_is_requested_from_its_owner_and_the_game_master(table: Table) -> None:
    with master(table, "turn", dice="players") as gm:
        seat = seated(table)
        typed(seat, "attack 3")
        seat.until("d20", "1 to 20")
        gm.until("d20")
        seat.press("17\r")
        until_kept(table, "face = 17")
        assert '\nwho = "okado"' in events(table)


def test_initiative_is_asked_of_two_seats_at_once_and_survives_one_that_leaves(tmp_path: Path) -> None:
    campaign = sample(tmp_path / "campaigns", "the-goblin-ford")
    seats = [f'[[seat]]\nname = "{name}"\ncharacters = ["{name}"]\n' for name in ("mira", "tobin")]
    (campaign / "seats.toml").write_text("\n".join(["format = 1\n", *seats]))
    with served(tmp_path, keys={"mira": "key", "tobin": "other"}, name="the-goblin-ford") as table:
        file = table.campaign / "campaign.toml"
        file.write_text(file.read_text().replace('dice = "program"', 'dice = "players"'))
        env = {**environment(XDG_STATE_HOME=str(table.folder / "state")), "TERM": "xterm-256color"}
        gm = Client([table.campaign, "--seed", "3"], SIZE, env, forked=True)
        try:
            gm.until("Goblin 1")
            table.logged("the game master's program is connected")
            mira = table.seat("mira", key=table.key("key"), size=(60, 20))
            tobin = table.seat("tobin", key=table.key("other"), size=(80, 24))
            for seat in (mira, tobin):
                seat.until("Goblin 1")
            gm.press("n\r")
            for seat, name in ((mira, "Mira"), (tobin, "Tobin")):
                seat.until(f"d20 for {name}'s initiative", "Waiting for Mira, Tobin and Ysolde")
            gm.until("waiting for Mira, Tobin and Ysolde")
            tobin.press("19\r")
            mira.until("Waiting for Mira and Ysolde")
            tobin.until("Waiting for Mira and Ysolde")
            mira.kill()
            gm.until("waiting for Mira and Ysolde")
            gm.press("\t")
            gm.until("d20 for Ysolde's initiative")
            gm.forget()
            gm.press("17\r")
            gm.until("d20 for Mira's initiative")
            tobin.until("Waiting for Mira")
            gm.press("1")
            gm.take()
            log = table.campaign / "encounters" / "the-crossing" / "log.toml"
            owners = [f'of = "{name}"' for name in ("mira", "tobin", "ysolde")]
            wait_for(
                lambda: log.exists() and all(owner in log.read_text() for owner in owners),
                "the start of the fight with the die of each player",
            )
            tobin.until("Round 1")
        finally:
            gm.close()


def test_a_request_whose_basis_was_undone_is_not_carried_out(table: Table) -> None:
    with master(table) as gm:
        seat = seated(table)
        gm.press("n")
        wait_for(lambda: present(table.folder / "campaigns", CAMPAIGN)["turn"] == "tamsin", "Tamsin's turn")
        tamsin = seated(table, "tamsin", "other")
        typed(tamsin, "next")
        gm.until("Tamsin asks: end the turn")
        gm.press("u")
        wait_for(lambda: present(table.folder / "campaigns", CAMPAIGN)["turn"] == "okado", "Okado's turn")
        gm.take()
        gm.press("\r")
        tamsin.until("It is not Tamsin")
        assert present(table.folder / "campaigns", CAMPAIGN)["turn"] == "okado"
        seat.read(0)


def test_without_a_game_masters_program_seats_only_watch(table: Table) -> None:
    seat = seated(table)
    seat.until("program is not running")
    typed(seat, "next")
    seat.until("you can only watch")
    with master(table, "free") as gm:
        seat.until("Round 1")
        gm.kill(signal.SIGKILL)
        gm.finished()
        seat.forget()
        typed(seat, "next")
        seat.until("you can only watch")


def test_the_game_masters_program_starts_and_stops_a_server_that_ends_with_it(tmp_path: Path) -> None:
    with served(tmp_path) as table:
        file = table.campaign / "campaign.toml"
        table.process.terminate()
        table.process.wait(5)
        with master(table) as gm:
            file.write_text(f'{file.read_text()}listen = "127.0.0.1"\nport = {table.port}\n')
            gm.read(1.0)
            gm.press("P")
            gm.until("no server is running")
            gm.press("s")
            gm.until(f"127.0.0.1:{table.port}", "ssh -p")
            gm.press("w")
            gm.until("password ")
            gm.kill(signal.SIGKILL)
            gm.finished()
            wait_for(lambda: "refused" in table.ssh("okado", "status").stderr, "the end of the server")


def test_watch_at_a_seat_gets_open_questions_and_sends_at_most_one_request_a_second(
    table: Table,
) -> None:
    with master(table, "turn", dice="players"):
        seat = seated(table)
        typed(seat, "attack 3")
        seat.until("1 to 20")
        env = {**environment(XDG_STATE_HOME=str(table.folder / "state")), "TERM": "xterm-256color"}
        watch = Client(["watch", table.campaign, "--seat", "okado"], SIZE, env, forked=True)
        try:
            watch.until("d20", "1 to 20")
            watch.press("\x1b")
            watch.until("Enter answers")
            # On a machine that is busy the first ones may lie a second apart, and a line may be open still.
            for _ in range(40):
                watch.press(":\x15roll 1d6\r")
                watch.read(0.1)
                if "One request a second" in watch.text:
                    break
            watch.until("One request a second")
        finally:
            watch.close()


@pytest.mark.parametrize(
    ("name", "who", "foe", "passes", "size"),
    [
        (CAMPAIGN, "okado", "Guard 1", "next", (60, 20)),
        ("rooftop-watch", "mara", "Grey", "next side", (80, 24)),
    ],
)
def test_a_plan_outlasts_a_lost_line_and_is_sent_with_enter_in_the_own_turn(
    tmp_path: Path, name: str, who: str, foe: str, passes: str, size: tuple[int, int]
) -> None:
    campaign = sample(tmp_path / "campaigns", name)
    if who not in (campaign / "seats.toml").read_text():
        (campaign / "seats.toml").write_text(
            f'format = 1\n[[seat]]\nname = "{who}"\ncharacters = ["{who}"]\n', encoding="utf-8"
        )
    with served(tmp_path, keys={who: "key"}, name=name) as table, master(table, "turn", foe=foe) as gm:
        gm.press(f":{passes}\r")
        seat = table.seat(who, key=table.key(), size=size)
        seat.until("leave")
        seat.press("a1\r")
        seat.until(f"Planned: attack on {foe}", "Enter changes")
        wait_for(lambda: "attack" in _places(table), "the stored plan")
        seat.kill()
        seat = table.seat(who, key=table.key(), size=size)
        seat.until(f"Planned: attack on {foe}")
        gm.press(":back\r")
        seat.until("Enter sends")
        assert "attack" not in events(table)
        # On a busy machine the turn may be painted twice. An Enter right after that does not count.
        wait_for(lambda: seat.take() or "attack" in events(table), "'attack' in the log")
        assert f'who = "{who}"' in events(table)


def _places(table: Table) -> str:
    """The stored places of the players."""
    files = (table.folder / "state").rglob("*.places")
    return "".join(file.read_text() for file in files)
