"""The server of the seats as a child process of the game master's program, which ends with it."""

import asyncio
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from systems.text import clean
from tui.wire.address import WITH_PARENT

_START = "import sys; sys.path[:] = eval(sys.argv.pop(1)); from tui.cli.main import main; sys.exit(main())"


class SeatServerProcess:
    """Process of `affray serve` for a campaign. `ended` gets its last sentence, or "" after a stop."""

    def __init__(self, campaign: Path, ended: Callable[[str], None]) -> None:
        self._campaign, self._ended = campaign, ended
        self._process: asyncio.subprocess.Process | None = None
        self._task: asyncio.Task[None] | None = None
        self._stopped = False

    def start(self) -> None:
        """Start the server in the running event loop."""
        self._task = asyncio.get_running_loop().create_task(self._run())

    def terminate(self) -> None:
        """Stop the server."""
        self._stopped = True
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.terminate()

    async def _run(self) -> None:
        last = ""
        try:
            process = self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-c", _START, repr(sys.path), "serve", str(self._campaign),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.PIPE,
                env={**os.environ, WITH_PARENT: "1"},
                start_new_session=True,
            )  # fmt: skip
            if self._stopped:
                process.terminate()
            assert process.stderr is not None
            while line := await process.stderr.readline():
                last = clean(line.decode(errors="replace"), 300).removeprefix("affray: ")
            status = await process.wait()
        except (OSError, ValueError) as error:
            last, status = f"the server cannot be started: {clean(str(error), 200)}", 1
        self._ended(last if status and not self._stopped else "")
