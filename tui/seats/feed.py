"""The feed of `affray feed`: what everybody may see of a fight, one line for each event, for a group's chat.

The lines are those of the public view's log, so whatever is held back from the players is held back here.
"""

import asyncio
import signal
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from systems.frozen import frozen
from systems.text import clean
from systems.visibility.build import NEWEST_LINES
from systems.visibility.log_view import LogReader
from systems.visibility.moment import shown_moment
from systems.visibility.parts import LogLine
from systems.visibility.viewer import PUBLIC
from tui.seats.following import FollowedCampaign
from tui.terminal.program_log import log_task_error

_LONGEST = 1_500  # characters of one event


@frozen
class _Told:
    """An event as the feed reported it last."""

    text: str
    undone: bool = False


class FightFeed:
    """Finds what is new in the lines of one fight."""

    def __init__(self) -> None:
        self._told: dict[int, _Told] = {}

    def news(self, lines: Sequence[tuple[int, LogLine]]) -> list[str]:
        """Return the lines for the chat, oldest first.

        `lines`: the newest lines of the log, each with the number of its event. An event that has been undone
        since it was reported, or that reads differently now, is taken back.
        """
        now = dict(_events(lines))
        found: list[str] = []
        for number, event in now.items():
            before = self._told.get(number, _Told("", undone=True))
            if before == event or (before.undone and event.undone):
                continue
            if not before.undone:
                found.append(f"taken back: {before.text}")
            if not event.undone:
                found.append(event.text)
        self._told = now
        return found


def _events(lines: Sequence[tuple[int, LogLine]]) -> Iterator[tuple[int, _Told]]:
    """Yield the number of each event in the lines, with its lines as one."""
    for number, of_event in groupby(lines, key=lambda line: line[0]):
        shown = [line for _, line in of_event]
        yield number, _Told(clean(" ".join(line.text for line in shown), _LONGEST), shown[0].undone)


class Feed:
    """Follows a campaign and passes on the public lines of its current fight.

    `tell` gets new lines, oldest first. `say` gets notices. Lines that were
    written before the feed began are not repeated.
    """

    def __init__(self, path: Path, tell: Callable[[list[str]], None], say: Callable[[str], None]) -> None:
        self._tell, self._say = tell, say
        self._ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._followed = FollowedCampaign(path, self._look, self._vanished, say)
        encounters = self._followed.campaign.encounters
        self._begun_before = {name for name, info in encounters.items() if info.state != "prepared"}
        self._fights: dict[str, tuple[LogReader, FightFeed]] = {}

    async def run(self) -> str:
        """Follow until a signal arrives or `end` is called. Return the error that ended it, or ""."""
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(log_task_error)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            loop.add_signal_handler(number, self.end)
        self._followed.start()
        self._look()
        self._say("following the fight; Ctrl+C ends the feed")
        try:
            return await self._ended
        finally:
            self._followed.stop()

    def end(self, why: str = "") -> None:
        """End the feed. `why`: the error, or ""."""
        if not self._ended.done():
            self._ended.set_result(why)

    def _vanished(self) -> None:
        self.end("the campaign's folder is gone")

    def _look(self) -> None:
        """Pass on what has changed in the current fight."""
        fight = self._followed.fight_of(None)
        if fight is None:
            return
        name, session = fight.fight.encounter, fight.session
        is_old = name in self._begun_before and name not in self._fights
        reader, feed = self._fights.setdefault(name, (LogReader(PUBLIC), FightFeed()))
        shown = self._followed.campaign.seats
        moment = shown_moment(session.encounter, session.log, PUBLIC, shown)
        lines = reader.numbered_lines(session.encounter, session.log, NEWEST_LINES, shown, moment)
        news = feed.news(lines)
        if news and not is_old:
            self._tell(news)
