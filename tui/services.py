"""The services that prompts use: messages, questions, pages, commands, and what they list.

The game master's program builds them from an open session, a seat's program from the data it receives. They
hold values, never widgets: the screen is repainted through `View`.
"""

from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from systems.commands.amounts import AmountCommand, DamageOrHeal
    from systems.commands.preview import Preview
    from systems.contract.action import Action
    from systems.contract.ruleset import Ruleset
    from systems.encounter.history import Event
    from systems.encounter.model import Combatant, Encounter, Offer
    from systems.encounter.roster import JoiningEntry
    from systems.language.intents import Command

# The rows of a page for a width in cells; a row is a list of texts with their tones.
PageRows = Callable[[int], Sequence[Sequence[tuple[str, str]]]]
# The rows of a page with a filter, for a width and the typed text.
FinderRows = Callable[[int, str], Sequence[Sequence[tuple[str, str]]]]


# The first word of a line about the seats, which is no command of the fight.
SEATS = "seats"


def apart_from_fight(line: str) -> str:
    """Return what a line asks for that is no command of the fight: `seats`, `plan`, `danger`, `forecast`.

    Return "" for a command.
    """
    first, whole = line.split(" ", 1)[0].casefold(), line.strip().casefold()
    return first if first in (SEATS, "plan") else whole if whole in ("danger", "forecast") else ""


class ActionSource(Protocol):
    """The data for an action's prompt: of the whole fight at the table, of the viewer's part at a seat."""

    @property
    def game(self) -> "Ruleset":
        """Return the game, with its actions, options, fields and conditions."""

    @property
    def encounter(self) -> "Encounter":
        """Return the fight, with its combatants, turn and offers."""

    def preview(
        self,
        action: "Action",
        actor: str,
        target: str | None,
        options: Any,
        earlier: Sequence[str] = (),
        aims: Sequence[str] = (),
    ) -> "Preview":
        """Return the exact odds of an action. Raises TooManyDice, WrongChoice, Refused or Wrong.

        `earlier`: targets that the same command reaches before this one. `aims`: all its targets.
        """

    def refusal(self, action: "Action", actor: str, target: str | None, options: Any) -> str:
        """Return why the rules refuse an action before any die is rolled, or ""."""

    def relevant(self, action: "Action", actor: str, target: str | None, options: Any) -> Mapping[str, str]:
        """Return the options that can matter, each with a word for its current value, or ""."""

    def remembered(self, action: "Action", actor: str) -> Mapping[str, Mapping[str, str]]:
        """Return the last options of an action by target, to fill them in again."""

    def last_target(self, actor: str) -> str:
        """Return the id of the actor's last target, or ""."""


class Source(ActionSource, Protocol):
    """The data for all other prompts; at the table, an open session."""

    @property
    def roster(self) -> "Mapping[str, JoiningEntry]":
        """Return the roster entries that can join the fight, by id."""

    def read_amount(self, intent: "DamageOrHeal") -> "AmountCommand":
        """Return the meaning of `damage` or `heal` here. Raises Refused or Wrong."""

    def preview_amount(self, doing: "AmountCommand", who: str) -> "Preview":
        """Return the effect of the amount on one of its targets. Raises TooManyDice or Wrong."""

    def last_check(self) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """Return the ids that passed and failed, if the newest command was a check by several; else None."""


class OpenPrompt(Protocol):
    """A prompt, as the services see it."""

    # The footer's labels for Tab and other keys, whether the dock shows its rows, and whether these rows are
    # targets.
    TAB: str
    MORE_KEYS: Sequence[tuple[str, str]]
    IN_DOCK: bool
    LISTS_TARGETS: bool

    @property
    def enter_does(self) -> str:
        """Return the footer's label for Enter."""

    @property
    def escape_does(self) -> str:
        """Return the footer's label for Escape."""

    def rows(self, width: int, height: int) -> Sequence[Sequence[tuple[str, str]]]:
        """Return the rows of the dock."""

    def takes(self, event: Any) -> bool:
        """Return whether it can take that key now. If not, the key waits until the answer has arrived."""

    def key(self, event: Any) -> None:
        """Handle a key."""

    def click(self, row: int) -> None:
        """Handle a click on one of its rows, counted from 0."""

    def why_not_pasted(self, text: str) -> str:
        """Return why that text is too long to be pasted here, or ""."""

    def paste(self, text: str) -> None:
        """Handle pasted text."""

    def opened(self) -> None:
        """Start, once it is shown."""

    def resume(self) -> None:
        """Continue after another question took its place."""

    def close(self) -> None:
        """End without doing anything."""

    @property
    def subject(self) -> str:
        """Return the id of the combatant to show on the card; "" for the one under the cursor."""

    def wanted_rows(self, width: int) -> int:
        """Return how many rows it can use; 0 if the usual number will do."""


class ScreenView(Protocol):
    """The current screen, as the services see it. Each method repaints a part of it."""

    @property
    def screen_name(self) -> str:
        """Return the screen's name in the table of keys."""

    @property
    def shows_newest_line(self) -> bool:
        """Return whether it shows the newest line of the log next to the message line."""

    def show_message(self) -> None:
        """Repaint the message line."""

    def show_header(self) -> None:
        """Repaint the header."""

    def show_prompt(self) -> None:
        """Repaint the rows of the open question."""

    def prompt_changed(self) -> None:
        """Show that another question is open, or none."""

    def show_change(self) -> None:
        """Repaint the fight after a command."""

    def refresh_all(self) -> None:
        """Repaint header, fight, keys and message line."""

    def open_page(
        self, title: str, rows: PageRows, *, aside: bool = False, closed: "Callable[[], None] | None" = None
    ) -> None:
        """Open a page over the screen; with `aside`, over its right-hand pane if it has one.

        `closed` is called when it is no longer shown.
        """

    def renew_page(self) -> None:
        """Show the changed rows of the open page."""

    def open_finder(self, title: str, rows: FinderRows) -> None:
        """Open a page with a filter over the screen."""

    def find(self, text: str) -> bool:
        """Move the cursor to a row with that text; return whether there is one."""

    def way_back(self) -> Callable[[], None]:
        """Return a function that moves the cursor back to its present row."""


class Program(Protocol):
    """Services that only the running program can provide."""

    @property
    def available_themes(self) -> Mapping[str, Any]:
        """Return the themes by name."""

    def choose_colours(self, theme: str) -> None:
        """Use a theme from now on."""

    def preview_colours(self, theme: str) -> None:
        """Show a theme without choosing it; "" shows the chosen one again."""

    def use_own_keys(self, said: str = "") -> None:
        """Read the user's own keys again. Report their problems, or say `said` if there are none."""

    def call_later(self, callback: Callable[..., Any], *arguments: Any) -> bool:
        """Call a function after the current message. May be called from another thread."""

    def set_timer(self, delay: float, callback: Callable[[], Any]) -> object:
        """Call a function after `delay` seconds."""

    def post_message(self, message: Any) -> bool:
        """Handle an event, such as a key, as if it had just arrived."""

    def copy_to_clipboard(self, text: str) -> None:
        """Copy a text to the terminal's clipboard, if the terminal allows it."""

    def handle_error(self, error: Exception) -> None:
        """Report an unexpected error and continue."""

    def exit(self, result: int = 0, return_code: int = 0) -> None:
        """Exit the program."""


class Messages:
    """The message line: one sentence, and whether it is an error."""

    def __init__(self, view: Callable[[], ScreenView | None]) -> None:
        self._view = view
        self.sentence, self.is_error = "", False

    def say(self, sentence: str, error: bool = False) -> None:
        """Show a sentence on the message line; "" clears it."""
        self.sentence, self.is_error = sentence, error
        if (view := self._view()) is not None:
            view.show_message()


class FirstLook:
    """Measures how long an offer or request has been visible before Enter accepts it.

    An Enter less than `GRACE` seconds after a new one was first painted was probably typed for something
    else. It does not accept it; the next Enter does, at any speed.
    """

    GRACE = 0.4

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._seen: object = None
        self._since = 0.0
        # Whether an Enter came too early, so that the message line says "Enter again".
        self.asks_again = False

    def paint(self, shown: object) -> None:
        """Note what is painted now; None for nothing."""
        if shown != self._seen:
            self._seen, self._since, self.asks_again = shown, self._clock(), False

    def takes(self, shown: object) -> bool:
        """Return whether Enter may accept it now. If not, the next Enter may."""
        self.paint(shown)
        if self.asks_again or self._clock() - self._since >= self.GRACE:
            # The next offer is new, even if it is equal.
            self._seen, self.asks_again = None, False
            return True
        self.asks_again = True
        return False


class Prompts:
    """The open question, if there is one."""

    def __init__(self, view: Callable[[], ScreenView | None]) -> None:
        self._view = view
        self.current: OpenPrompt | None = None

    def open(self, prompt: OpenPrompt) -> None:
        """Show a question in place of the open one."""
        self.current = prompt
        try:
            if (view := self._view()) is not None:
                view.prompt_changed()
            prompt.opened()
        except Exception:
            # A question that cannot be shown must not take the keys.
            self.close(prompt)
            raise

    def close(self, prompt: OpenPrompt) -> None:
        """Close that question if it is open."""
        if self.current is prompt:
            self.current = None
            if (view := self._view()) is not None:
                view.prompt_changed()

    def refresh(self) -> None:
        """Repaint the question."""
        if (view := self._view()) is not None:
            view.show_prompt()


class ActionKeys(Protocol):
    """The keys of a game's own actions."""

    def of(self, game: "Ruleset | None") -> "Mapping[str, Action]":
        """Return the actions of a game by key."""

    def names(self, game: "Ruleset | None") -> dict[str, str]:
        """Return the key of each action that has one, as the reader sees it."""


class RunCommand(Protocol):
    """Carries out one line of the command language, with prompts for real dice and choices.

    `then` is called with the event once it is applied and shown. `asked_by`: the question that the line comes
    from; it is opened again if the command fails. `read`: the command of the line, if it is known already.
    """

    def __call__(
        self,
        line: str,
        then: "Callable[[Event], None] | None" = None,
        asked_by: OpenPrompt | None = None,
        read: "Command | None" = None,
    ) -> None: ...


class Services:
    """The services of one program. `source` is None while no fight is open.

    `command`: carries out a line; the program sets it.
    `cursor`: the id of the combatant under the cursor, the same on every screen. `key_names`: each key of the
    table as the reader sees it. `typed_lines`: the command lines typed so far, oldest first. `chosen_action`:
    an action of the key table that was chosen by name; it runs before the next key. `game_keys`: the keys of
    the game's own actions. `clock`: a clock that counts seconds.
    """

    def __init__(
        self, program: Program, view: Callable[[], ScreenView | None], key_names: Mapping[str, str]
    ) -> None:
        self.program, self._view, self.key_names = program, view, key_names
        self.messages, self.prompts = Messages(view), Prompts(view)
        self.say = self.messages.say
        self.clock: Callable[[], float] = monotonic
        self.first_look = FirstLook(self.now)
        self.source: Source | None = None
        self.cursor = self.chosen_action = ""
        self.typed_lines: list[str] = []
        self.game_keys: ActionKeys | None = None
        self.command: RunCommand

    def now(self) -> float:
        """Return the seconds on the clock."""
        return self.clock()

    def say_how_to_quit(self) -> None:
        """Say which key quits the program."""
        self.say(f"{self.key_names['quit']} quits; everything is already saved")

    @property
    def screen(self) -> str:
        """Return the name of the current screen, or ""."""
        view = self._view()
        return view.screen_name if view is not None else ""

    @property
    def log_shows_newest(self) -> bool:
        """Return whether the current screen shows the newest line of the log."""
        return (view := self._view()) is not None and view.shows_newest_line

    def show_all(self) -> None:
        """Repaint the current screen."""
        if (view := self._view()) is not None:
            view.refresh_all()

    def show_message(self) -> None:
        """Repaint the message line."""
        if (view := self._view()) is not None:
            view.show_message()

    def show_header(self) -> None:
        """Repaint the header."""
        if (view := self._view()) is not None:
            view.show_header()

    def show_change(self) -> None:
        """Repaint the fight after a command."""
        if (view := self._view()) is not None:
            view.show_change()

    def open_page(
        self, title: str, rows: PageRows, *, aside: bool = False, closed: "Callable[[], None] | None" = None
    ) -> None:
        """Open a page over the screen; with `aside`, over its right-hand pane if it has one.

        `closed` is called when it is no longer shown.
        """
        if (view := self._view()) is not None:
            view.open_page(title, rows, aside=aside, closed=closed)

    def renew_page(self) -> None:
        """Show the changed rows of the open page."""
        if (view := self._view()) is not None:
            view.renew_page()

    def open_finder(self, title: str, rows: FinderRows) -> None:
        """Open a page with a filter over the screen."""
        if (view := self._view()) is not None:
            view.open_finder(title, rows)

    def find(self, text: str) -> bool:
        """Move the current screen's cursor to a row with that text; return whether there is one."""
        return (view := self._view()) is not None and view.find(text)

    def way_back(self) -> Callable[[], None]:
        """Return a function that moves the current screen's cursor back to its present row."""
        return view.way_back() if (view := self._view()) is not None else lambda: None

    @property
    def action_keys(self) -> "Mapping[str, Action]":
        """Return the keys of the game's own actions; none if no fight is open."""
        return self.game_keys.of(self.source.game if self.source else None) if self.game_keys else {}

    @property
    def action_key_names(self) -> dict[str, str]:
        """Return the key of each of the game's actions that has one, as the reader sees it."""
        return self.game_keys.names(self.source.game if self.source else None) if self.game_keys else {}

    # The combatants and offers that keys refer to

    @property
    def under_cursor(self) -> "Combatant | None":
        """Return the combatant under the cursor."""
        return self.source.encounter.combatants.get(self.cursor) if self.source else None

    @property
    def offer(self) -> "Offer | None":
        """Return the first offer with a command."""
        if self.source is None or not self.source.encounter.offers:
            return None
        # Imported late, because the first picture rarely needs it.
        from systems.commands.offers import to_take

        return next(iter(to_take(self.source.encounter)), None)

    @property
    def actor(self) -> "Combatant | None":
        """Return the combatant that acts: the one with the turn; of a group or a side, the one under the
        cursor.

        Once the fight is over it is a player.
        """
        if self.source is None:
            return None
        from systems.encounter.schedule import may_act

        encounter, chosen = self.source.encounter, self.under_cursor
        if encounter.progress.over:
            party = [each for each in encounter.in_line() if encounter.is_player(each)]
            living = (each for each in party if encounter.status(each).in_order)
            return chosen if chosen in party else next(living, chosen)
        if chosen and encounter.status(chosen).acts:
            progress = encounter.progress
            is_side = encounter.style == "sides" and progress.turn and not progress.interrupted
            # A member without an action left is refused by name; no other one acts in its place.
            if may_act(encounter, chosen.id) or (is_side and chosen.side == progress.side):
                return chosen
        return encounter.turn or chosen
