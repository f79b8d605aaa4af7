"""The helper process of a screen: it calculates dangers, forecasts, and where a fight turned.

It reads messages on standard input, each one line of JSON: the fight, from a FightSender, then the work.
It answers with lines of JSON; the last answer to a work says so. The process ends at the end of its input,
even while it calculates, so nothing is left of it when the program of the screen is killed.
"""

import gc
import json
import os
import sys
from collections.abc import Callable
from fractions import Fraction
from queue import SimpleQueue
from threading import Thread
from time import monotonic
from typing import NoReturn

from systems.codec.plain import from_plain, to_plain
from systems.errors import Refused
from systems.forecast.found import Danger
from systems.forecast.plan import likely_next
from systems.frozen import evolve
from tui.session.dangers import dangers
from tui.session.forecasts import ForecastAnswer, forecaster_of, where_it_turned
from tui.session.live_fight import FightReader, HelperMessage, LiveFight
from tui.session.planning import pick_after
from tui.session.work import DangerAnswer, Work, WorkAnswer
from tui.terminal.program_log import log_error

# Objects after which the collector looks for those that refer to each other.
_COLLECTED = 100_000
# Seconds between two answers of a forecast.
_BATCH = 0.7
# Seconds until the first one at the latest; it comes at once after this many fights in all.
_FIRST, _ENOUGH = 1.2, 100

Send = Callable[[WorkAnswer], None]


def main() -> None:
    """Carry out the work that is asked for on standard input, one after the other."""
    # Loaded modules stay, and almost all else is freed without the collector.
    gc.freeze()
    gc.set_threshold(_COLLECTED)
    # What a game prints is no answer.
    sys.stdout = sys.stderr
    messages: SimpleQueue[HelperMessage] = SimpleQueue()
    Thread(target=_receive, args=(messages,), daemon=True).start()
    try:
        _work(messages)
    except Exception as error:  # noqa: BLE001 - the program of the screen starts another process
        log_error("the helper has failed", error)
        # The thread still reads, so the interpreter cannot end in order.
        os._exit(1)


def _work(messages: "SimpleQueue[HelperMessage]") -> NoReturn:
    """Read messages for ever, and carry out the works among them."""
    reader = FightReader()
    while True:
        message = messages.get()
        if "work" not in message:
            reader.read(message)
            continue
        work = from_plain(Work, message["work"])
        try:
            _WORKS[work.name](reader, reader.fight(message), work, _send)
        except Refused as refused:
            _send(WorkAnswer(str(refused), is_last=True))


def _receive(messages: "SimpleQueue[HelperMessage]") -> None:
    """Pass on the messages, and end the process at the end of its input."""
    for line in sys.stdin.buffer:
        messages.put(json.loads(line))
    os._exit(0)


def _send(answer: WorkAnswer) -> None:
    print(json.dumps(to_plain(answer), separators=(",", ":")), file=sys.__stdout__, flush=True)


def _dangers(reader: FightReader, fight: LiveFight, work: Work, send: Send) -> None:
    """Answer with the danger of each character, and what the next combatants would most likely do."""
    found = [_short(danger) for danger in dangers(fight)]
    likely = likely_next(fight.encounter, pick_after(fight.events))
    send(DangerAnswer(is_last=True, dangers=tuple(found), likely=tuple(likely)))


def _short(danger: Danger) -> Danger:
    """Return a danger whose chances have few enough digits to be sent."""
    threats = (threat for threat in danger.threats if threat.chance)
    shown = (evolve(threat, options=(), chance=_shown(threat.chance)) for threat in threats)
    return evolve(danger, chance=_shown(danger.chance), threats=tuple(shown))


def _shown(chance: Fraction) -> Fraction:
    return Fraction(float(chance))


def _forecast(reader: FightReader, fight: LiveFight, work: Work, send: Send) -> None:
    """Answer with the forecast of all fights so far, after each batch."""
    next_answer = monotonic() + _FIRST
    forecaster = forecaster_of(fight, work.seed, sharing=work.sharing)
    for number, _ in enumerate(forecaster.play(work.fights), 1):
        if number == _ENOUGH or monotonic() >= next_answer:
            next_answer = monotonic() + _BATCH
            send(ForecastAnswer(forecast=forecaster.forecast()))
    send(ForecastAnswer(forecast=forecaster.forecast(), is_last=True))


def _turning(reader: FightReader, fight: LiveFight, work: Work, send: Send) -> None:
    """Answer with each moment that is being played, and at last with where the fight turned."""

    def tell(done: int, of: int) -> None:
        send(ForecastAnswer(moment=done + 1, of=of))

    turning = where_it_turned(fight, reader.log(), work.fights, tell)
    send(ForecastAnswer(turning=turning, is_last=True))


_WORKS = {"dangers": _dangers, "forecast": _forecast, "turning": _turning}
