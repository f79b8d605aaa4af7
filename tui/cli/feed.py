"""`affray feed CAMPAIGN`: print what everybody may see, one line for each event, and post it to a channel."""

import asyncio
import os
import sys
from argparse import Namespace
from contextlib import suppress
from pathlib import Path

from systems.text import clean
from tui.campaign.folders import where
from tui.campaign.listing import find
from tui.seats.feed import Feed
from tui.seats.webhook import Webhook, webhook_address
from tui.terminal.notice import LONGEST_ERROR, notice

_LAST_POST = 1.5  # seconds


def run(arguments: Namespace) -> int:
    path = find(where(arguments.campaigns), arguments.campaign)
    address = webhook_address() if arguments.webhook else None
    # The table's keys come first.
    with suppress(OSError, AttributeError):
        os.nice(10)
    stop = _Stop()
    webhook = Webhook(address, notice, stop.end) if address else None
    why = asyncio.run(_feed(path, webhook, stop))
    if why:
        print(f"affray: {clean(why, LONGEST_ERROR)}", file=sys.stderr)
        return 1
    return 0


class _Stop:
    """Lets another thread end the feed."""

    def __init__(self) -> None:
        self.feed: Feed | None = None
        self.loop: asyncio.AbstractEventLoop | None = None

    def end(self, why: str) -> None:
        """End the feed with an error, unless it has ended."""
        if self.loop is not None and self.feed is not None:
            with suppress(RuntimeError):
                self.loop.call_soon_threadsafe(self.feed.end, why)


async def _feed(path: Path, webhook: Webhook | None, stop: _Stop) -> str:
    """Follow the campaign until the end. Return the error that ended it, or ""."""

    def tell(lines: list[str]) -> None:
        try:
            print(*lines, sep="\n", flush=True)
        except OSError:
            # The reader of the output is gone.
            feed.end()
        if webhook is not None:
            webhook.send(lines)

    feed = Feed(path, tell, notice)
    stop.loop, stop.feed = asyncio.get_running_loop(), feed
    if webhook is not None:
        webhook.start()
    try:
        return await feed.run()
    finally:
        if webhook is not None and (lost := webhook.end(_LAST_POST)):
            notice(f"{lost} line{'' if lost == 1 else 's'} not sent to the channel")
