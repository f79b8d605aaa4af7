"""Requests of seats at the table, in one process: a program in memory, and a link that the test holds."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import attrs
import pytest

from systems.commands.table import kind_of
from systems.dice.sources import TotalRoll
from systems.encounter import loose_words
from systems.encounter.model import Offer
from systems.errors import Misread, Refused, Wrong
from systems.visibility import moment, sight
from systems.visibility.acting import read_request, sent_command
from systems.visibility.viewer import Viewer
from tests.tui.opened import OKADO, copied, opened
from tests.tui.pilot import Pilot, running
from tests.tui.table import keys, text_of
from tui.app import AffrayApp
from tui.campaign.seats import escaped_name, named_seat, read_seats
from tui.controllers.seat_command_runner import SeatRequest
from tui.controllers.seat_meaning import answer_words, seen_at
from tui.controllers.seats import SeatDesk
from tui.display.refusals import misread_words
from tui.session.attempt import Attempt
from tui.session.session import Session, chance
from tui.terminal.log_file import logged
from tui.wire.messages import Malformed

SIZE = (120, 34)


class FakeLink:
    """The connection with the server: keeps what was sent."""

    is_open = True

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []

    def send(self, message: dict[str, Any]) -> None:
        self.sent.append(message)

    def abort(self) -> None:
        self.is_open = False


@attrs.define
class Table:
    """A game master's program with the desk of its seats."""

    app: AffrayApp
    pilot: Pilot
    desk: SeatDesk
    link: FakeLink
    count: int = 0

    async def seat(
        self, line: str, name: str = "okado", own: Sequence[str] = (), n: int | None = None
    ) -> None:
        """A line that a seat has typed; `n`: after which event, the newest one if it is not said."""
        self.count += 1
        try:
            request = self.request(line, name, own or (name,), len(self.events) if n is None else n)
        except (Misread, Refused, Wrong) as error:
            words = misread_words(line, error) if isinstance(error, Misread) else str(error)
            text = answer_words(words)
            self.link.send(
                {"kind": "result", "id": f"t{self.count}", "seat": name, "ok": False, "text": text}
            )
            return
        await self.hear(**request)

    def request(self, line: str, name: str, own: Sequence[str], n: int) -> dict[str, Any]:
        """What the server makes of a line: it reads the line in the fight that the seat sees."""
        viewer = Viewer(frozenset(own))
        command = read_request(seen_at(self.session, n, viewer, self.desk._shown()), viewer, line)
        return {
            "kind": "request",
            "id": f"t{self.count}",
            "seat": name,
            "characters": list(own),
            "encounter": self.app.table.fight.encounter,
            "line": line,
            "n": n,
            "command": command.name,
            "intent": kind_of(command).plain(command.intent),
        }

    async def hear(self, **message: Any) -> None:
        """A message of the server."""
        self.desk._received(self.link, message)
        await self.pilot.idle()

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    @property
    def session(self) -> Any:
        return self.app.table.session

    @property
    def events(self) -> Sequence[Any]:
        return self.session.log.events

    @property
    def turn(self) -> str:
        return self.session.encounter.progress.turn

    @property
    def text(self) -> str:
        return text_of(self.app)

    def told(self, kind: str) -> list[dict[str, Any]]:
        """The messages of a kind that the server was sent."""
        return [message for message in self.link.sent if message["kind"] == kind]

    @property
    def answer(self) -> str:
        """What the seats were told last."""
        return self.told("result")[-1]["text"]

    @property
    def asked(self) -> dict[str, Any]:
        """The die or choice that a seat was asked for last."""
        return self.told("ask")[-1]


@asynccontextmanager
async def table(
    folder: Path,
    acting: str,
    *lines: str,
    dice: str = "program",
    name: str = OKADO,
    hand_over: str = "ask",
) -> AsyncIterator[Table]:
    """A sample after these lines, with the seats' `acting` and `hand_over`."""
    campaign = copied(folder, name)
    file = campaign / "campaign.toml"
    text = file.read_text().replace('dice = "program"', f'dice = "{dice}"')
    file.write_text(f'{text}\n[seats]\nacting = "{acting}"\nhand_over = "{hand_over}"\n')
    app = opened(folder, name=name)
    async with running(app, SIZE) as pilot:
        for line in lines:
            app.table.session.do(line)
        desk, link = SeatDesk(app.table), FakeLink()
        app.table.desk, desk._links = desk, [link]  # type: ignore[list-item]
        app.services.show_all()
        await pilot.idle()
        yield Table(app, pilot, desk, link)


REAL = "players"


async def test_a_players_die_is_shown_in_the_place_of_offers_and_takes_no_key_at_the_table(tmp_path):
    async with table(tmp_path, "turn", "start", dice=REAL) as here:
        await here.seat("attack 1")
        assert here.app.services.prompts.current is None
        assert "Okado's d20" in here.text
        # A number and a letter that were meant for the table; `j` moves the cursor.
        before = len(here.events)
        await here.press("1", "7", "j")
        assert here.app.services.prompts.current is None
        assert len(here.events) == before
        await here.hear(kind="reply", ask=here.asked["ask"], value=17, seat="okado")
        while here.asked["ask"] in here.desk.asks.open:
            await here.hear(kind="reply", ask=here.asked["ask"], value=1, seat="okado")
        assert here.events[-1].who == "okado"
        assert here.events[-1].rolls[0].face == 17


async def test_a_total_called_by_a_player_includes_the_bonus_shown_at_its_seat(tmp_path):
    async with table(tmp_path, "turn", "start", dice=REAL) as here:
        await here.seat("attack 1")
        await here.pilot.idle()
        shown = here.asked
        assert shown["adds"] == "melee 53"
        await here.hear(kind="reply", ask=shown["ask"], value="=74", seat="okado")
        refused = here.asked
        assert (refused["ask"], refused["typed"]) == (shown["ask"], "=74")
        assert refused["wrong"] == "d20 +53 can't make 74, only 54 to 73"
        await here.hear(kind="reply", ask=shown["ask"], value="=70", seat="okado")
        await answered(here, "okado")
        assert here.events[-1].rolls[0].face == 17


async def test_a_seat_without_odds_calls_only_its_dice_and_invalid_answers_are_dropped(tmp_path):
    async with table(tmp_path, "turn", "start", dice=REAL) as here:
        here.app.services.command("roll 2d6 for okado")
        await here.pilot.idle()
        asked = here.asked
        assert asked["face"]["total_of"] == "2d6"
        for nonsense in ("9", "=", "=x", ["=9"], "=-3", ""):
            await here.hear(kind="reply", ask=asked["ask"], value=nonsense, seat="okado")
        assert asked["ask"] in here.desk.asks.open
        await here.hear(kind="reply", ask=asked["ask"], value="=9", seat="okado")
        assert here.events[-1].rolls == (TotalRoll("2d6", 9, "2d6", "okado"),)


@pytest.mark.parametrize(
    ("line", "asks"), [("roll 2d6 for okado", True), ("roll 2d6 for okado secret", False)]
)
async def test_no_seat_is_asked_for_a_die_of_a_secret_roll(tmp_path, line, asks):
    async with table(tmp_path, "turn", "start", dice=REAL) as here:
        here.app.services.command(line)
        await here.pilot.idle()
        assert here.app.services.prompts.current is not None, "the game master is asked"
        assert bool(here.told("ask")) is asks


async def test_the_game_master_can_answer_a_players_die_by_choosing_it(tmp_path):
    async with table(tmp_path, "turn", "start", dice=REAL) as here:
        await here.seat("attack 1")
        await here.press("enter")
        assert "1 to 20" in here.text
        assert len(here.events) == 1
        await here.press("1", "6", "enter")
        assert here.desk.asks.open == {}
        while here.app.services.prompts.current is not None:
            await here.press("enter")
        assert here.events[-1].rolls[0].face == 16


async def test_escape_leaves_a_players_die_to_the_player(tmp_path):
    async with table(tmp_path, "turn", "start", dice=REAL) as here:
        await here.seat("attack 1")
        await here.press("enter", "escape")
        assert here.app.services.prompts.current is None
        assert here.asked["ask"] in here.desk.asks.open
        assert any("Okado's d20" in words for words in here.desk.waiting_words)
        await here.hear(kind="reply", ask=here.asked["ask"], value=4, seat="okado")
        assert "has answered" in here.text


async def test_one_key_refuses_a_command_that_waits_for_a_die(tmp_path):
    async with table(tmp_path, "turn", "start", dice=REAL) as here:
        await here.seat("attack 1")
        ask = here.asked["ask"]
        await here.press("backspace")
        assert here.told("unask")[-1]["ask"] == ask
        assert "The game master says no" in here.answer
        assert here.desk.waiting_words == []
        assert len(here.events) == 1


async def test_a_key_pressed_as_the_player_answers_accepts_nothing_else(tmp_path):
    async with table(tmp_path, "turn", "start", dice=REAL) as here:
        await here.seat("attack 1")
        await here.seat("next", "tamsin", n=1)
        await here.seat("attack 1", "tamsin")
        assert [request.seat for request in here.desk.waiting] == ["tamsin"]
        while here.desk.questions:
            await here.hear(kind="reply", ask=here.asked["ask"], value=1, seat="okado")
        await here.pilot.type_ahead("enter")
        assert [request.seat for request in here.desk.waiting] == ["tamsin"]
        assert "Enter again Tamsin asks" in here.text
        await here.pilot.type_ahead("enter")
        assert here.desk.waiting == []


async def test_a_stray_enter_accepts_no_new_request_but_ctrl_a_does(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        here.pilot.wait(1)
        for line in ("attack 1", "damage 1 1", "next"):
            await here.seat(line)
        before = len(here.desk.waiting)
        await here.pilot.type_ahead("enter")
        assert len(here.desk.waiting) == before
        await here.pilot.type_ahead("enter")
        assert len(here.desk.waiting) == before - 1
        # The request after it is new as well.
        await here.pilot.type_ahead("enter")
        assert len(here.desk.waiting) == before - 1
        await here.pilot.type_ahead("ctrl+a")
        assert here.desk.waiting == []


async def test_a_line_typed_at_the_table_is_not_disturbed_by_a_seats_die(tmp_path):
    async with table(tmp_path, "turn", "start", dice=REAL) as here:
        await here.press("colon", *"note")
        open_prompt = here.app.services.prompts.current
        await here.seat("attack 1")
        await here.press("space", "h", "i")
        assert here.app.services.prompts.current is open_prompt
        await here.press("enter")
        assert here.events[-1].command == "note"


DODGED = "attack 1 defence=active defence_ability=dodge"


async def test_a_die_is_requested_again_after_an_event_that_changes_the_roll(tmp_path):
    async with table(tmp_path, "turn", "start", dice="real") as here:
        await here.seat(DODGED)
        first = here.asked["ask"]
        await here.hear(kind="reply", ask=first, value=3, seat="okado")
        assert here.desk.questions[0].words.startswith("Guard 1's d20")
        # A surprised combatant does not dodge.
        here.session.do("condition guard-1 surprised")
        await here.press("enter", "5", "enter")
        assert "has changed" in here.told("waits")[-1]["text"]
        assert here.asked["ask"] != first
        # The old question no longer counts.
        await here.hear(kind="reply", ask=first, value=20, seat="okado")
        assert here.events[-1].command == "condition"


SECRET = ("note they wait", "roll 2d6 secret", "condition Ghost prone", "set Ghost notes asleep")


async def test_an_event_hidden_from_a_seat_does_not_request_its_die_again(tmp_path):
    sent = []
    for name, lines in (("without", ()), ("with", SECRET)):
        async with table(tmp_path / name, "turn", *GHOST, dice=REAL) as here:
            await here.seat("attack 1")
            for line in lines:
                here.session.do(line)
            await here.hear(kind="reply", ask=here.asked["ask"], value=17, seat="okado")
            sent.append(here.link.sent)
            assert here.events[-1].rolls[0].face == 17
    assert sent[0] == sent[1]


async def test_rolls_of_another_seat_leave_an_open_die_alone(tmp_path):
    async with table(tmp_path, "free", "start", dice=REAL) as here:
        await here.seat("attack 1")
        asked = here.told("ask")
        here.session.do("roll 1d6 for tamsin")
        await here.hear(kind="reply", ask=here.asked["ask"], value=17, seat="okado")
        assert here.told("ask") == asked
        assert here.events[-1].who == "okado"


async def test_a_die_for_a_finished_turn_is_refused_and_counts_for_nobody(tmp_path):
    async with table(tmp_path, "turn", "start", dice=REAL) as here:
        await here.seat("next")
        await here.press("enter")
        assert here.turn == "tamsin"
        await here.seat("attack 1", "tamsin")
        ask = here.asked["ask"]
        here.app.services.command("undo")
        await here.pilot.idle()
        await here.hear(kind="reply", ask=ask, value=17, seat="tamsin")
        assert here.desk.asks.open == {}
        assert "This turn is over" in here.answer
        assert here.events[-1].kind == "undo"


async def answered(here: Table, name: str) -> None:
    """Answer the dice of a seat's character until none of them is asked for."""
    while here.desk.asks.open and here.asked["character"] == name:
        face = {20: 20, 6: 2}.get(here.asked.get("face", {}).get("sides"), 1)
        await here.hear(kind="reply", ask=here.asked["ask"], value=face, seat=name)


async def test_commands_of_a_seat_run_one_after_another_also_while_a_die_is_requested(tmp_path):
    async with table(tmp_path, "turn", "start", dice=REAL, hand_over="at_once") as here:
        await here.seat("attack 1")
        await here.seat("next")
        assert here.turn == "okado"
        assert "waits for the commands" in here.told("waits")[-1]["text"]
        await answered(here, "okado")
        here.desk._run_held()
        assert here.turn == "tamsin"
        assert [event.text.split()[0] for event in here.events[-2:]] == ["Okado", "Tamsin's"]


@pytest.mark.parametrize("hand_over", ["ask", "at_once"])
async def test_commands_after_a_refused_one_of_the_same_seat_are_not_carried_out(tmp_path, hand_over):
    async with table(tmp_path, "turn", "start", dice=REAL, hand_over=hand_over) as here:
        await here.seat("attack 1")
        await here.seat("next")
        await here.press("backspace")
        here.desk._run_held()
        assert here.turn == "okado"
        assert "the request before it was refused" in here.answer


async def test_a_seat_learns_that_its_command_waits_for_another_players_decision(tmp_path):
    court = {"name": "the-bone-court", "dice": REAL}
    rested = ("set skeleton-1 max_stamina 1", "set skeleton-1 stamina 1")
    async with table(tmp_path, "turn", "start", *rested, **court) as here:
        await here.seat("attack 1", "black-knight")
        await answered(here, "black-knight")
        assert here.desk.questions, "a skeleton's choice is the game master's"
        assert here.told("waits")[-1]["text"] == "Waiting for the game master: attack on Skeleton 1."


@pytest.mark.parametrize("acting", ["ask", "turn", "free"])
@pytest.mark.parametrize(
    "line",
    [
        "attack okado by guard-1",
        "attack 4 by 1",
        "next by guard-1",
        "damage guard-1 5",
        "set guard-1 life 1",
        "condition guard-1 marked",
        "roll 1d6 for guard-1",
        "delay guard-1",
    ],
)
async def test_a_seat_never_acts_as_a_guard(tmp_path, acting, line):
    async with table(tmp_path, acting, "start") as here:
        await here.seat(line)
        assert "not your character" in here.answer
        assert len(here.events) == 1
        assert here.desk.waiting_words == []


ATTACK = {"action": "attack", "targets": "guard-1", "by": "okado"}


@pytest.mark.parametrize(
    ("command", "intent"),
    [
        ("start", {}),
        ("nonsense", {}),
        ("action", {**ATTACK, "by": 7}),
        ("action", {**ATTACK, "secret": "yes"}),
        ("action", {**ATTACK, "targets": "shade"}),
        ("action", {**ATTACK, "targets": "nobody"}),
        ("action", {**ATTACK, "options": {"cover": 3}}),
        ("damage", {"targets": "shade", "amount": "3"}),
        ("say", {"text": "hello", "who": "tamsin"}),
    ],
)
async def test_a_command_that_no_seat_would_send_is_refused_as_malformed(tmp_path, command, intent):
    async with table(tmp_path, "free", "add guard as Shade hidden", "start") as here:
        request = here.request("attack 1", "okado", ("okado",), len(here.events))
        with pytest.raises(Malformed, match="request: "):
            await here.hear(**{**request, "command": command, "intent": intent})
        assert [event.typed for event in here.events] == ["add guard as Shade hidden", "start"]
        assert (here.desk.waiting, here.told("result")) == ([], [])


async def test_a_command_for_another_players_character_is_refused(tmp_path):
    async with table(tmp_path, "free", "start") as here:
        request = here.request("attack 1", "okado", ("okado",), len(here.events))
        await here.hear(**{**request, "intent": {**ATTACK, "by": "tamsin"}})
        assert here.answer == "Tamsin is not your character."
        assert len(here.events) == 1


async def test_the_table_reads_no_line_of_a_seat_while_the_fight_is_unchanged(tmp_path, monkeypatch):
    async with table(tmp_path, "free", "start") as here:
        request = here.request("attack 1", "okado", ("okado",), len(here.events))
        parsed, seen = [], []
        parse, see = loose_words.parse, sight.seen_encounter
        monkeypatch.setattr(
            loose_words, "parse", lambda line, *more: parsed.append(line) or parse(line, *more)
        )
        monkeypatch.setattr(moment, "seen_encounter", lambda *of: seen.append(of) or see(*of))
        await here.hear(**request)
        assert here.events[-1].typed == "attack guard-1 by okado"
        assert parsed == []
        assert len(seen) == 1


async def test_a_line_without_an_actor_is_refused_once_the_turn_has_moved_on(tmp_path):
    async with table(tmp_path, "free", "start") as here:
        both = ("okado", "tamsin")
        here.app.services.command("next")
        await here.pilot.idle()
        assert here.turn == "tamsin"
        # Typed while it was Okado's turn.
        await here.seat("attack 1", own=both, n=1)
        assert "moved on" in here.answer
        await here.seat("attack 1", own=both)
        assert here.events[-1].actor == "tamsin"


OVER = "Turn over. The game master goes on."


@pytest.mark.parametrize("acting", ["ask", "turn", "free"])
async def test_an_end_of_turn_waits_for_the_game_master_and_counts_once(tmp_path, acting):
    async with table(tmp_path, acting, "start") as here:
        for _ in range(2):
            await here.seat("next", n=1)
        assert (here.told("waits")[-1]["text"], here.answer) == (OVER, OVER)
        assert here.turn == "okado"
        await here.press("enter")
        assert here.turn == "tamsin"
        assert here.desk.waiting == []
        assert "Tamsin's turn" in here.answer
        await here.seat("next", n=1)
        assert "not Okado's turn" in here.answer


async def test_a_table_without_hidden_combatants_may_hand_the_turn_over_at_once(tmp_path):
    async with table(tmp_path, "turn", "start", hand_over="at_once") as here:
        await here.seat("next")
        assert here.turn == "tamsin"
        assert "Tamsin's turn" in here.answer
        assert here.told("waits") == []
        await here.press("P")
        assert "turns end without you" in here.text


async def test_the_page_of_seats_does_not_mention_waiting_turns(tmp_path):
    async with table(tmp_path, "turn", "start") as here:
        await here.press("P")
        assert "turns end without you" not in here.text


GHOST = ("start", "add guard as Ghost hidden", "order Ghost after okado")


@pytest.mark.parametrize("acting", ["ask", "turn", "free"])
async def test_a_hidden_combatants_turn_stays_open_until_the_next_visible_turn(tmp_path, acting):
    async with table(tmp_path, acting, *GHOST) as here:
        await here.seat("next")
        await here.press("enter")
        assert here.session.encounter.turn.name == "Ghost"
        assert here.told("result") == []
        assert here.told("turn_over")[-1]["is_open"]
        await here.press("n")
        assert here.turn == "tamsin"
        assert here.answer.startswith("Tamsin's turn.")
        assert not here.told("turn_over")[-1]["is_open"]


@pytest.mark.parametrize("line", ["next", "delay"])
async def test_accepting_the_end_of_a_turn_sends_nothing_while_a_hidden_combatant_acts(tmp_path, line):
    async with table(tmp_path, "free", *GHOST) as here:
        await here.seat(line)
        sent = len(here.link.sent)
        await here.press("enter")
        assert here.session.encounter.turn.name == "Ghost"
        assert here.link.sent[sent:] == []
        await here.press("n")
        assert [message["kind"] for message in here.link.sent[sent:]] == ["result", "requests", "turn_over"]


@pytest.mark.parametrize("acting", ["ask", "turn", "free"])
async def test_a_player_ending_a_turn_does_not_learn_that_a_hidden_combatant_has_it(tmp_path, acting):
    async with table(tmp_path, acting, *GHOST, "next") as here:
        assert here.session.encounter.turn.name == "Ghost"
        # The seat is still shown Okado's turn.
        await here.seat("next")
        assert here.told("result") == []
        assert here.told("waits")[-1]["text"] == OVER
        await here.press("enter")
        assert "turn is over already" in here.text
        assert here.told("result") == []
        assert here.session.encounter.turn.name == "Ghost"
        await here.press("n")
        assert here.answer.startswith("Tamsin's turn.")


async def test_the_game_master_ending_the_turn_answers_a_request_to_end_it(tmp_path):
    async with table(tmp_path, "turn", *GHOST) as here:
        await here.seat("next")
        await here.press("n")
        assert here.told("result") == []
        await here.press("n")
        assert here.answer.startswith("Tamsin's turn.")
        assert here.desk.waiting == []


async def test_a_delay_waits_and_is_not_done_once_the_turn_is_over(tmp_path):
    async with table(tmp_path, "free", *GHOST) as here:
        await here.seat("delay")
        assert here.told("waits")[-1]["text"] == "Waiting for the game master: delay the turn."
        await here.press("n")
        await here.press("enter")
        assert here.told("result") == []
        await here.press("n")
        assert here.answer == "Okado's turn is over."
        assert not here.session.encounter.combatants["okado"].state.waits


async def test_an_end_of_turn_that_is_undone_is_open_at_the_table_again(tmp_path):
    async with table(tmp_path, "turn", *GHOST) as here:
        await here.seat("next")
        await here.press("enter")
        assert here.desk.waiting == []
        await here.press("u")
        assert [request.says for request in here.desk.waiting] == ["end the turn"]
        assert here.told("result") == []


async def test_an_action_after_the_turn_is_carried_out_marked_and_taken_back(tmp_path):
    async with table(tmp_path, "turn", *GHOST) as here:
        await here.press("n")
        await here.seat("attack 1")
        assert here.events[-1].who == "okado"
        assert here.events[-1].text.endswith("After its turn.")
        assert here.session.encounter.turn.name == "Ghost"
        assert "attack" in here.answer
        assert "After" not in here.answer
        await here.press("u")
        assert here.events[-1].kind == "undo"
        assert here.session.encounter.turn.name == "Ghost"


SENT = (
    "attack 1",
    "defend",
    "damage okado 2",
    "condition okado marked for 2 rounds",
    "roll 2d6",
    "delay okado",
    "attack 1 by tamsin",
    "ready okado strike whoever comes",
    "attack Ghost",
    "undo",
    "next",
    "next",
)


@pytest.mark.parametrize("acting", ["ask", "turn", "free"])
async def test_every_message_to_a_seat_is_the_same_in_a_hidden_turn_as_without_it(tmp_path, acting):
    sent = []
    for name, lines in (("without", ("start",)), ("with", (*GHOST, "next"))):
        async with table(tmp_path / name, acting, *lines) as here:
            here.session.streams = chance(5)
            for line in SENT:
                await here.seat(line)
            sent.append(here.link.sent)
    assert sent[0] == sent[1]
    assert {message["kind"] for message in sent[0]} >= {"waits", "result", "turn_over"}


async def test_the_actor_is_taken_from_the_turn_shown_at_the_seat(tmp_path):
    async with table(tmp_path, "ask", "start", "add guard as Ghost hidden") as here:
        here.session.do("order Ghost after okado")
        before = len(here.events)
        here.app.services.command("next")
        await here.pilot.idle()
        for n in (before, len(here.events)):
            await here.seat("attack 1", own=("okado", "tamsin"), n=n)
            assert here.told("waits")[-1]["text"].startswith("Waiting for the game master: attack")
        assert here.told("result") == []


async def test_a_tag_keeps_its_meaning_from_when_the_line_was_typed(tmp_path):
    async with table(tmp_path, "free", "note the players' numbers are not final yet") as here:
        assert here.session.encounter.combatants["tamsin"].tag == "5"
        here.app.services.command("add wolf as Hound")
        here.app.services.command("start")
        await here.pilot.idle()
        assert here.session.encounter.combatants["tamsin"].tag == "6"
        await here.seat("attack 5", n=1)
        assert "moved on" in here.answer
        assert len(here.events) == 3
        await here.seat("attack 6")
        assert here.events[-1].targets == ("tamsin",)


def offered(here: Table) -> None:
    """Let the rules offer Okado a counterattack."""
    offer = Offer(
        says="Okado may strike back.",
        command="attack guard-1 by okado",
        by="okado",
        target="guard-1",
        action="attack",
    )
    here.session.encounter = attrs.evolve(here.session.encounter, offers=(offer,))


async def test_an_offer_counts_once_whoever_accepts_it(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        offered(here)
        for token in ("first", "second"):
            viewer, command = Viewer(frozenset({"okado"})), sent_command("action", ATTACK)
            line, fight = "attack 1", "north-gate"
            request = SeatRequest(token, "okado", viewer, line, 1, fight, command, took_offer=True)
            here.desk.waiting.append(request)
        here.desk.take_waiting(0)
        await here.pilot.idle()
        assert here.events[-1].who == "okado"
        assert here.desk.waiting == []
        assert any("the offer is gone" in result["text"] for result in here.told("result"))
        assert len(here.events) == 2


async def test_an_offer_requested_by_a_seat_is_carried_out_once_with_the_seats_options(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        offered(here)
        await here.seat("attack 1 modifier=-5")
        assert "Okado may strike back" in here.text
        await here.press("enter")
        assert here.events[-1].who == "okado"
        assert here.events[-1].options["modifier"] == -5
        assert here.desk.waiting_words == []


async def test_a_request_of_an_earlier_turn_says_so(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        await here.seat("attack 1", "tamsin")
        assert "earlier turn" not in here.text
        here.app.services.command("next")
        await here.pilot.idle()
        here.app.services.say("")
        await here.pilot.idle()
        assert "Tamsin asks: attack on Guard 1 (from an earlier turn)" in here.text


async def test_a_waiting_request_is_not_carried_out_after_an_undo(tmp_path):
    async with table(tmp_path, "ask", "start", "next") as here:
        await here.seat("next", "tamsin")
        assert "Tamsin asks: end the turn" in here.text
        here.app.services.command("undo")
        await here.pilot.idle()
        here.app.services.say("")
        await here.press("enter")
        assert "not Tamsin's turn" in here.answer
        assert here.turn == "okado"


async def test_a_request_held_while_the_table_was_busy_needs_approval_once_the_turn_is_over(tmp_path):
    async with table(tmp_path, "turn", "start", dice="real") as here:
        # A die of the game master's own command is being read.
        await here.press(*":attack okado by guard-1", "enter")
        await here.press("enter") if here.app.services.prompts.current is None else None
        assert here.desk._is_busy
        await here.seat("roll 1d6")
        await here.seat("attack 1")
        assert len(here.events) == 1
        here.session.do("next")
        await here.press("escape")
        await here.pilot.until(lambda: not here.desk._held)
        assert "This turn is over" in here.answer


async def test_a_request_that_is_sent_twice_counts_once(tmp_path):
    async with table(tmp_path, "free", "start") as here:
        await here.seat("roll 1d6")
        here.count -= 1
        await here.seat("roll 1d6")
        assert "sent twice" in here.answer
        assert len(here.events) == 2


async def test_a_restarted_server_receives_the_open_questions(tmp_path):
    async with table(tmp_path, "turn", "start", dice=REAL) as here:
        await here.seat("attack 1")
        here.desk._lost(here.link)  # type: ignore[arg-type]
        assert here.desk.questions
        again = FakeLink()
        here.desk._links = [again]  # type: ignore[list-item]
        here.link = again
        await here.hear(kind="hello")
        assert here.asked["face"]["sides"] == 20


MARK, OTHER_MARK = f"SHA256:{'x' * 43}", f"SHA256:{'y' * 43}"


def knock(number: int, name: str = "tamsin", **more: Any) -> dict[str, Any]:
    """A guest as the server reports it, with the first key."""
    said = {"address": "192.168.100.101", "fingerprint": MARK, "seconds": 1, "key_of": "", "kicked_from": ""}
    return {"id": number, "name": escaped_name(name), "seat": named_seat(name), **said, **more}


def seats_state(**seats: dict[str, Any]) -> dict[str, Any]:
    """The state that the server reports, without knocks."""
    plain = {"password": "", "kicked": [], "screens": [], "keys": [], "characters": []}
    listed = [{"name": name, **plain, **more} for name, more in seats.items()]
    return {"kind": "state", "seats": listed, "locked": False, "knocks": [], **WHERE}


WHERE = {"address": "192.168.100.100", "port": 22222, "fingerprint": f"SHA256:{'z' * 43}"}


async def test_the_mark_on_the_page_of_seats_stays_on_its_seat_while_guests_knock(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        state = seats_state(okado={}, tamsin={"keys": [OTHER_MARK]})
        await here.hear(**state)
        await here.press("P", "down")
        await here.hear(**{**state, "knocks": [knock(1), knock(2)]})
        assert "let in for good" not in here.text.split("\n")[-1]
        await here.press("k")
        assert here.told("kick")[-1]["seat"] == "tamsin"
        await here.press("up", "up", "enter")
        assert "tamsin has another key" in here.text
        await here.press("y", "enter")
        assert here.told("let_in")[-1] == let_in(2, "tamsin", second_key=True)
        await here.hear(**{**state, "knocks": [knock(1)]})
        await here.press("k")
        assert "Okado has no key and no occupant to kick" in here.text
        await here.press("down", "k")
        assert here.told("kick")[-1]["seat"] == "tamsin"


def let_in(knock: int, seat: str, *, for_good: bool = True, second_key: bool = False) -> dict[str, Any]:
    """The message that lets a guest in."""
    said = {"knock": knock, "seat": seat, "for_good": for_good, "second_key": second_key}
    return {"kind": "let_in", **said}


LOOK_ALIKE = "mir\u0430"


async def test_a_guest_with_another_name_is_admitted_only_at_the_seat_chosen_for_it(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        await here.hear(**{**seats_state(mlra={}), "knocks": [knock(1, LOOK_ALIKE)]})
        await here.press("P")
        assert "mir\\u0430 knocks → no seat of that name" in here.text
        assert LOOK_ALIKE not in here.text
        assert "Enter choose a seat" in here.text.split("\n")[-1]
        await here.press("enter")
        assert "No seat is named mir\\u0430. Which seat does this guest take" in here.text
        await here.press("enter")
        assert "Type one of the names listed" in here.text
        assert here.told("let_in") == []
        await here.press(*"mirla", "enter")
        assert "There is no seat" in here.text
        assert here.told("let_in") == []
        await here.press("escape")
        assert "knocks" in here.text
        await here.press("enter", "down", "enter")
        assert here.told("let_in") == [let_in(1, "mlra")]
        assert "knocks" in here.text


async def test_the_page_of_seats_names_the_mistakes_in_seats_toml(tmp_path):
    fault = "seats.toml:1: format: is needed: format = 1"
    async with table(tmp_path, "ask", "start") as here:
        await here.hear(**{**seats_state(), "knocks": [knock(1)], "problems": [fault]})
        await here.press("P")
        assert fault in here.text
        await here.press("enter")
        assert f"No seat can be taken: {fault}" in here.text
        await here.hear(**{**seats_state(), "knocks": [knock(1)], "problems": []})
        assert fault not in here.text.split("No seat can be taken")[0]
        await here.press("enter")
        assert "No seat can be taken: add one to seats.toml" in here.text


async def test_a_second_key_is_added_to_a_seat_only_after_a_yes(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        seats = seats_state(tamsin={"keys": [OTHER_MARK], "screens": ["::1"]})
        await here.hear(**{**seats, "knocks": [knock(1)]})
        await here.press("P")
        assert "tamsin knocks → seat tamsin · occupied · has another key" in here.text
        await here.press("enter")
        assert "tamsin is occupied and has another key." in here.text
        await here.press("enter", *"no", "enter")
        assert here.told("let_in") == []
        await here.press("enter", "y", "enter")
        assert here.told("let_in") == [let_in(1, "tamsin", second_key=True)]
        await here.press("o")
        assert "has another key. Let tamsin in at tamsin once?" in " ".join(here.text.split())
        await here.press("enter", *"no", "enter")
        assert len(here.told("let_in")) == 1
        await here.press("o", "y", "enter")
        assert here.told("let_in")[-1] == let_in(1, "tamsin", for_good=False)


async def test_a_guest_without_a_key_or_with_another_seats_key_is_admitted_once(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        knocks = [knock(1, fingerprint=""), knock(2, key_of="okado", kicked_from="okado")]
        await here.hear(**{**seats_state(okado={}, tamsin={}), "knocks": knocks})
        await here.press("P")
        assert "let in once" in here.text.split("\n")[-1]
        await here.press("enter")
        assert here.told("let_in")[-1] == let_in(1, "tamsin", for_good=False)
        assert "kicked from okado · its key belongs to okado" in here.text
        await here.press("down", "enter")
        assert f"The key {MARK} belongs to okado. Let tamsin in at tamsin once?" in " ".join(
            here.text.split()
        )
        assert len(here.told("let_in")) == 1
        await here.press("y", "enter")
        assert here.told("let_in")[-1] == let_in(2, "tamsin", for_good=False)


@pytest.mark.parametrize("key", ["enter", "o", "backspace"])
async def test_a_key_pressed_as_the_marked_knock_leaves_does_not_count_for_the_next_one(tmp_path, key):
    async with table(tmp_path, "ask", "start") as here:
        seats = seats_state(okado={}, tamsin={})
        await here.hear(**{**seats, "knocks": [knock(1), knock(2, "okado")]})
        await here.press("P")
        here.pilot.wait(1.0)
        await here.hear(**{**seats, "knocks": [knock(2, "okado")]})
        await here.pilot.type_ahead(key)
        assert here.told("let_in") == here.told("turn_away") == []
        assert (
            f"The mark has just moved to this row: {key.capitalize() if key != 'o' else key} again."
            in here.text
        )
        await here.pilot.type_ahead(key)
        assert [
            each.get("id", each.get("knock"))
            for each in here.link.sent
            if each["kind"] in ("let_in", "turn_away")
        ] == [2]


async def test_a_mark_moved_by_a_key_counts_at_once(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        knocks = [knock(1), knock(2, "okado")]
        await here.hear(**{**seats_state(okado={}, tamsin={}), "knocks": knocks})
        await here.press("P")
        await here.pilot.type_ahead("down", "enter")
        assert here.told("let_in") == [let_in(2, "okado")]


async def test_the_answer_no_leaves_the_message_line_with_the_next_key(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        await here.hear(**seats_state(tamsin={"keys": [MARK]}))
        await here.press("P", "down", "backspace", "n", "enter")
        assert "Nothing was changed." in here.text
        await here.press("up", "k")
        assert here.told("kick")
        assert "Nothing was changed." not in here.text


@pytest.mark.parametrize("width", [60, 80, 140])
async def test_fingerprints_are_shown_in_full_at_every_width(tmp_path, width):
    async with table(tmp_path, "ask", "start") as here:
        await here.pilot.resize(width, 24)
        kicked = f"SHA256:{'k' * 43}"
        seats = seats_state(tamsin={"keys": [OTHER_MARK], "kicked": [kicked]}, okado={})
        await here.hear(**{**seats, "knocks": [knock(1, "mir\u0430-\u0301" + "\u200f" * 9)]})
        await here.press("P")
        for mark in (MARK, OTHER_MARK, kicked, WHERE["fingerprint"]):
            assert mark in here.text
        await here.press("enter")
        assert MARK in here.text
        await here.press("escape", "down", "down", "backspace")
        assert OTHER_MARK in here.text


async def test_the_page_of_seats_removes_a_key_and_lets_a_kicked_one_in_again(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        await here.hear(**seats_state(tamsin={"keys": [MARK], "kicked": [OTHER_MARK]}))
        await here.press("P", "down", "k", "w")
        assert here.told("kick") == here.told("password") == []
        await here.press("backspace", "enter")
        assert here.told("remove_key") == []
        await here.press("y", "enter")
        assert here.told("remove_key") == [{"kind": "remove_key", "seat": "tamsin", "key": MARK}]
        await here.press("down")
        assert "let in again" in here.text.split("\n")[-1]
        await here.press("enter")
        assert here.told("let_back") == [{"kind": "let_back", "seat": "tamsin", "key": OTHER_MARK}]


async def test_q_on_the_page_of_seats_says_how_to_quit(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        await here.hear(**seats_state(tamsin={}))
        await here.press("P", "q")
        assert "Ctrl+Q quits" in here.text


async def test_the_server_reports_a_key_that_was_not_saved(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        await here.hear(kind="trouble", text="the key of okado was not saved: the disk is full")
        assert "The key of okado was not saved" in here.text


async def test_the_marked_request_is_accepted_or_refused_on_the_page_of_seats(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        for line, name in (("roll 1d6", "okado"), ("roll 1d8", "tamsin"), ("roll 1d4", "okado")):
            await here.seat(line, name)
        await here.press("P", "down", "enter")
        assert here.events[-1].who == "tamsin"
        assert [request.says for request in here.desk.waiting] == ["roll 1d6", "roll 1d4"]
        await here.press("backspace")
        assert here.answer == "The game master says no: roll 1d4."
        assert "Okado asks: roll 1d6" in here.text
        await here.press("escape")
        assert [request.says for request in here.desk.waiting] == ["roll 1d6"]


async def test_accepting_all_requests_continues_after_one_that_the_rules_refuse(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        await here.seat("coup_de_grace 1", "okado")
        await here.seat("roll 1d8", "tamsin")
        await here.press("P", "t")
        assert here.events[-1].who == "tamsin"
        assert here.desk.waiting == []
        assert "Guard 1 is conscious" in here.text


@pytest.mark.parametrize("acting", ["ask", "turn", "free"])
async def test_speech_and_notes_of_a_seat_are_in_the_log_at_once(tmp_path, acting):
    async with table(tmp_path, acting, "start", "next") as here:
        await here.seat("say Follow me!")
        assert "Okado says: Follow me!" in here.text
        assert (here.events[-1].text, here.events[-1].who) == ("Okado says: Follow me!", "okado")
        await here.seat("note The gate is a trap.")
        assert "Okado's note: The gate is a trap." in here.text
        assert here.answer == "Okado's note: The gate is a trap."
        assert here.desk.waiting == []


@pytest.mark.parametrize("acting", ["ask", "turn", "free"])
async def test_healing_of_another_players_character_takes_one_enter_of_the_game_master(tmp_path, acting):
    async with table(tmp_path, acting, "start", "damage tamsin 9") as here:
        await here.seat("heal tamsin 4")
        assert here.told("waits")[-1]["text"] == "Waiting for the game master: heal Tamsin by 4."
        assert "Okado asks: heal Tamsin by 4" in here.text
        await here.press("enter")
        assert (here.events[-1].command, here.events[-1].targets) == ("heal", ("tamsin",))


# Making seats, and invitations


def without_seats(here: Table) -> None:
    """Remove the seats of the sample, as in a new campaign."""
    (here.app.table.campaign.path / "seats.toml").unlink()


async def test_one_key_makes_a_seat_for_every_character(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        without_seats(here)
        await here.press("P")
        assert "Okado has no seat: m makes okado" in here.text
        await here.press("M")
        assert "New seats: okado, tamsin. i invites the players." in here.text
        seats = read_seats(here.app.table.campaign.path, ["okado", "tamsin"]).by_name
        assert {name: seat.characters for name, seat in seats.items()} == {
            "okado": ("okado",),
            "tamsin": ("tamsin",),
        }
        assert "has no seat" not in here.text
        await here.press("M")
        assert "Every character has a seat" in here.text


async def test_one_key_makes_a_seat_for_the_marked_character(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        without_seats(here)
        await here.press("P", "down", "m")
        assert list(read_seats(here.app.table.campaign.path, ["tamsin"]).by_name) == ["tamsin"]
        assert "Okado has no seat" in here.text


async def test_a_guest_with_a_characters_name_is_offered_its_new_seat(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        without_seats(here)
        await here.hear(**{**seats_state(), "knocks": [knock(1, "tamsin")]})
        await here.press("P")
        assert "tamsin knocks → make seat tamsin for Tamsin" in here.text
        assert "Enter make seat tamsin for Tamsin" in here.text.split("\n")[-1]
        await here.press("enter")
        assert here.told("let_in") == []
        await here.hear(**{**seats_state(tamsin={}), "knocks": [knock(1, "tamsin")]})
        await here.press("enter")
        assert here.told("let_in")[-1]["seat"] == "tamsin"


async def test_invitations_are_shown_and_copied_once_their_passwords_are_there(tmp_path, monkeypatch):
    async with table(tmp_path, "ask", "start") as here:
        copied_texts: list[str] = []
        monkeypatch.setattr(here.app, "copy_to_clipboard", copied_texts.append)
        here.desk.server.link = here.link  # type: ignore[assignment]
        await here.hear(**seats_state(okado={}, tamsin={"keys": [OTHER_MARK]}))
        await here.press("P", "i")
        assert "How long do the players' passwords last?" in here.text
        await here.press("enter")
        assert here.told("password") == [{"kind": "password", "seat": "okado", "lasts": "once"}]
        assert "passwords are being made" in here.text
        made = {"password": "baba-bebe", "lasts": "once"}
        await here.hear(**seats_state(okado=made, tamsin={"keys": [OTHER_MARK]}))
        assert "ssh -p 22222 okado@192.168.100.100" in here.text
        assert "Password: baba-bebe" in here.text
        assert WHERE["fingerprint"] in here.text
        assert "only on your network; set [seats] address" in here.text
        assert "baba-bebe" in copied_texts[0]
        await here.press("tab")
        assert "your key opens the seat" in here.text
        assert "tamsin@" in copied_texts[-1]
        await here.press("escape")
        assert "Seats:" in here.text


async def test_a_password_may_last_for_good(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        here.desk.server.link = here.link  # type: ignore[assignment]
        await here.hear(**seats_state(okado={}))
        await here.press("P", "i", "ctrl+u", *"often", "enter")
        assert "Type once, evening or good" in here.text
        await here.press("ctrl+u", *"good", "enter")
        assert here.told("password") == [{"kind": "password", "seat": "okado", "lasts": "good"}]


# Mistakes in Affray itself


@pytest.mark.parametrize("broken", [(SeatDesk, "checked"), (Session, "keep"), (Attempt, "run")])
async def test_a_request_that_a_mistake_in_affray_ends_is_answered_and_logged_without_its_line(
    tmp_path, monkeypatch, broken
):
    def fails(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError(line)

    line = "say Attack at dawn"
    with logged(str(tmp_path / "it.log"), "open"):
        async with table(tmp_path, "free", "start") as here:
            here.app.goes_on = True
            with monkeypatch.context() as patch:
                patch.setattr(*broken, fails)
                try:
                    await here.seat(line)
                except ZeroDivisionError as error:
                    here.app.handle_error(error)  # as the link does
                await here.pilot.idle()
            assert (
                here.answer == "Something went wrong at the table. Read the log before you send this again."
            )
            assert len(here.events) == 1
            await here.seat("say Once more.")
            assert here.events[-1].typed == "say Once more."
    text = (tmp_path / "it.log").read_text()
    assert "in fails" in text
    assert "ZeroDivisionError\n" in text
    assert "dawn" not in text


async def test_a_reaction_before_a_roll_counts_is_asked_at_its_owners_seat_and_at_the_table(tmp_path):
    guard = "set tobin effects.guard attacked, whose allies, change ac:9"
    async with table(tmp_path, "turn", "start", guard, name="the-goblin-ford") as here:
        await here.press(*keys(":attack mira dice=17 by goblin-1<Enter>"))
        assert (here.asked["character"], here.asked["choice"]["choices"]) == ("tobin", ["no", "yes"])
        assert "Tobin: use guard" in here.text
        await here.hear(kind="reply", ask=here.asked["ask"], value=2, seat="tobin")
        assert here.events[-1].answers[0].of == "tobin"
        assert "Tobin uses guard (+9)." in here.events[-1].text
