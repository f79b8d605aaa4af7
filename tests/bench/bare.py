"""Minimal Textual applications: `static`, or `table N` with a cursor on N rows."""

import sys

from textual.app import App, ComposeResult

from tests.bench.marker import MARKER


class Sentence(App[None]):
    """An application that shows one text."""

    def compose(self) -> ComposeResult:
        from textual.widgets import Static

        yield Static(MARKER)


class Table(App[None]):
    """An application that shows rows like those of a list of combatants."""

    def __init__(self, rows: int) -> None:
        super().__init__()
        self.rows = rows

    def compose(self) -> ComposeResult:
        from textual.widgets import DataTable

        table = DataTable(cursor_type="row")
        table.add_columns("tag", "name", "life", "marks")
        for number in range(1, self.rows + 1):
            table.add_row(str(number), f"{MARKER} {number}", "45/45", "prone 2")
        yield table


if __name__ == "__main__":
    (Sentence() if sys.argv[1] == "static" else Table(int(sys.argv[2]))).run()
