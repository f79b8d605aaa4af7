"""The helper process of a screen: it calculates dangers, forecasts, and where a fight turned.

It reads messages on standard input, each one line of JSON: the fight, from a FightSender, then the work.
It answers with lines of JSON; the last answer to a work has `last`. The process ends at the end of its input,
even while it calculates, so nothing is left of it when the program of the screen is killed.
"""

import gc
import json
import os
import sys
from collections.abc import Callable, Mapping
from queue import SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any

import attrs

from systems.errors import Refused
from systems.forecast.plan import likely_next
from tui.session.dangers import dangers
from tui.session.forecasts import forecaster_of, where_it_turned
from tui.session.live_fight import FightReader, Message
from tui.session.plain_dangers import plain_dangers, plain_likely
from tui.session.plain_forecasts import sent_forecast
from tui.session.planning import pick_after

# With fewer digits, an uncertain result could look certain.
_DIGITS = 15
# Objects after which the collector looks for those that refer to each other.
_COLLECTED = 100_000
# Seconds between two answers of a forecast.
_BATCH = 0.7
# Seconds until the first one at the latest; it comes at once after this many fights in all.
_FIRST, _ENOUGH = 1.2, 100

Answer = Callable[[Mapping[str, Any]], None]


def main() -> None:
    """Carry out the work that is asked for on standard input, one after the other."""
    # Loaded modules stay, and almost all else is freed without the collector.
    gc.freeze()
    gc.set_threshold(_COLLECTED)
    # What a game prints is no answer.
    sys.stdout = sys.stderr
    messages: SimpleQueue[Message] = SimpleQueue()
    Thread(target=_receive, args=(messages,), daemon=True).start()
    reader = FightReader()
    while True:
        message = messages.get()
        if (work := _WORKS.get(message.get("work", ""))) is None:
            reader.read(message)
            continue
        try:
            work(reader, message, _send)
        except Refused as refused:
            _send({"error": str(refused), "last": True})


def _receive(messages: "SimpleQueue[Message]") -> None:
    """Pass on the messages, and end the process at the end of its input."""
    for line in sys.stdin.buffer:
        messages.put(json.loads(line))
    os._exit(0)


def _send(answer: Mapping[str, Any]) -> None:
    print(json.dumps(answer, separators=(",", ":")), file=sys.__stdout__, flush=True)


def _dangers(reader: FightReader, message: Message, send: Answer) -> None:
    """Answer with the danger of each character, and what the next combatants would most likely do."""
    fight = reader.fight(message)
    combatants = plain_dangers(dangers(fight), _DIGITS)
    likely = plain_likely(likely_next(fight.encounter, pick_after(fight.events)))
    send({"combatants": combatants, "likely": likely, "last": True})


def _forecast(reader: FightReader, message: Message, send: Answer) -> None:
    """Answer with the forecast of all fights so far, after each batch."""
    next_answer = monotonic() + _FIRST
    forecaster = forecaster_of(reader.fight(message), message["seed"], sharing=message["sharing"])
    for number, _ in enumerate(forecaster.play(message["fights"]), 1):
        if number == _ENOUGH or monotonic() >= next_answer:
            next_answer = monotonic() + _BATCH
            send({"forecast": sent_forecast(forecaster.forecast()), "last": False})
    send({"forecast": sent_forecast(forecaster.forecast()), "last": True})


def _turning(reader: FightReader, message: Message, send: Answer) -> None:
    """Answer with each moment that is being played, and at last with where the fight turned."""

    def tell(done: int, of: int) -> None:
        send({"moment": done + 1, "of": of})

    turning = where_it_turned(reader.fight(message), reader.log(), message["fights"], tell)
    send({"turning": attrs.asdict(turning), "last": True})


_WORKS = {"dangers": _dangers, "forecast": _forecast, "turning": _turning}
