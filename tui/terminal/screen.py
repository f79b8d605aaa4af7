"""A screen whose rules are read once, and that is painted once while it is put together."""

from textual.app import App
from textual.screen import Screen

from tui.terminal.error_handling import ErrorHandling


class BareScreen(ErrorHandling, Screen[None]):
    """Textual's screen without the work that it does twice."""

    def __init__(self) -> None:
        super().__init__()
        # The rules are read when the screen is mounted; Textual would read all of them a second time.
        self._css_update_count = self.app._css_update_count

    def _compositor_refresh(self) -> None:
        # While a screen is put together Textual paints all of it and then throws that away.
        if not self.app._batch_count:
            super()._compositor_refresh()


async def run_binding(app: App[int], key: str) -> None:
    """Run what a key is bound to on the screen in sight, now and not after other messages."""
    await app._check_bindings(key)
