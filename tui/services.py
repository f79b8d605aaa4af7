"""What prompts may ask of the program they run in: messages, questions, pages, commands, and what to list.

The game master's program builds these from an open session, a seat's program from what comes over the wire.
They hold values and never widgets: what is on the screen is painted anew through `View`.
"""

from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from systems.commands.amounts import AmountCommand
    from systems.commands.membership import RosterEntry
    from systems.commands.preview import Preview
    from systems.contract.ruleset import Action, Ruleset
    from systems.encounter.history import Event
    from systems.encounter.model import Combatant, Encounter, Offer
    from systems.language.intents import DamageOrHeal

# The rows of a page for a width in cells; a row is pieces of text with their tones.
PageRows = Callable[[int], Sequence[Sequence[tuple[str, str]]]]
# The same of a page in which typing finds: for a width and for what was typed.
FinderRows = Callable[[int, str], Sequence[Sequence[tuple[str, str]]]]


class ActionSource(Protocol):
    """What is listed of an action: of the whole fight at the table, of what a viewer sees for a seat."""

    @property
    def game(self) -> "Ruleset":
        """Actions, options, fields and conditions, as the game declares them."""

    @property
    def encounter(self) -> "Encounter":
        """Combatants, turn and offers."""

    def preview(
        self, action: "Action", actor: str, target: str | None, options: Any, earlier: Sequence[str] = ()
    ) -> "Preview":
        """Return the exact odds of an action. Raises TooManyDice, WrongChoice, Refused or Wrong.

        `earlier`: targets that the same command reaches before this one.
        """

    def refusal(self, action: "Action", actor: str, target: str | None, options: Any) -> str:
        """Return the sentence with which the rules refuse an action before any die falls, or ""."""

    def relevant(self, action: "Action", actor: str, target: str | None, options: Any) -> Mapping[str, str]:
        """Return the options that can matter, each with the word for what it is now, or ""."""

    def remembered(self, action: "Action", actor: str) -> Mapping[str, Mapping[str, str]]:
        """Return by target the options of an action that are filled in as they were last."""

    def last_target(self, actor: str) -> str:
        """Return the id of whom the actor aimed at last, or ""."""


class Source(ActionSource, Protocol):
    """What prompts list besides: at the table an open session."""

    @property
    def roster(self) -> "Mapping[str, RosterEntry]":
        """Who can join the fight, by id."""

    def read_amount(self, intent: "DamageOrHeal") -> "AmountCommand":
        """Return what `damage` or `heal` means here. Raises Refused or Wrong."""

    def preview_amount(self, doing: "AmountCommand", who: str) -> "Preview":
        """Return what the amount does to one of its targets. Raises TooManyDice or Wrong."""

    def last_check(self) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """Return who passed and who failed, where the newest command was a check by several; else None."""


class Question(Protocol):
    """A prompt, as the services see it."""

    # What Tab and further keys do in it, for the footer, whether the dock shows its rows, and whether these
    # are those of combatants.
    TAB: str
    MORE_KEYS: Sequence[tuple[str, str]]
    IN_DOCK: bool
    LISTS_TARGETS: bool

    @property
    def enter_does(self) -> str:
        """What Enter does, for the footer."""

    @property
    def escape_does(self) -> str:
        """What Escape does, for the footer."""

    def rows(self, width: int, height: int) -> Sequence[Sequence[tuple[str, str]]]:
        """Return what the dock shows."""

    def takes(self, event: Any) -> bool:
        """Return whether it can take that key now; else the key waits for an answer that is on its way."""

    def key(self, event: Any) -> None:
        """Take one key."""

    def click(self, row: int) -> None:
        """Take a click on one of its rows, counted from 0."""

    def why_not_pasted(self, text: str) -> str:
        """Return why that is too long to be pasted here, or ""."""

    def paste(self, text: str) -> None:
        """Take text from the clipboard."""

    def opened(self) -> None:
        """Begin, once it is shown."""

    def resume(self) -> None:
        """Go on after another question has taken its place."""

    def close(self) -> None:
        """End without doing anything."""

    @property
    def subject(self) -> str:
        """The id of the combatant that it is about, for the card; "" for who is under the cursor."""

    def wanted_rows(self, width: int) -> int:
        """How many rows it has use for; 0 where the place it has will do."""


class View(Protocol):
    """The screen in sight, as the services see it: each method repaints a part of it."""

    @property
    def screen_name(self) -> str:
        """Its name in the table of keys."""

    @property
    def shows_newest_line(self) -> bool:
        """Whether the newest line of the log is in sight, beside the message line."""

    def show_message(self) -> None:
        """Show the message line as it is now."""

    def show_header(self) -> None:
        """Show the header as it is now."""

    def show_prompt(self) -> None:
        """Show the rows of the question that is open."""

    def prompt_changed(self) -> None:
        """Another question is open, or none."""

    def show_change(self) -> None:
        """Show the fight after a command."""

    def refresh_all(self) -> None:
        """Header, fight, keys and message line."""

    def open_page(self, title: str, rows: PageRows, *, aside: bool = False) -> None:
        """Lay a page over the screen; `aside` over the pane at its right, where it has one."""

    def open_finder(self, title: str, rows: FinderRows) -> None:
        """Lay a page over the screen, in which typing finds."""

    def find(self, text: str) -> bool:
        """Go to what holds the text; return whether anything does."""


class Program(Protocol):
    """What only the running program can do."""

    @property
    def available_themes(self) -> Mapping[str, Any]:
        """The colours there are, by name."""

    def choose_colours(self, theme: str) -> None:
        """Use these colours from now on."""

    def preview_colours(self, theme: str) -> None:
        """Show these colours until others are named; "" shows the chosen ones."""

    def use_own_keys(self, said: str = "") -> None:
        """Read the user's own keys again; say what is wrong with them, else `said`."""

    def call_later(self, callback: Callable[..., Any], *arguments: Any) -> bool:
        """Call a function once the present message is done; may be called from another thread."""

    def set_timer(self, delay: float, callback: Callable[[], Any]) -> object:
        """Call a function after `delay` seconds."""

    def post_message(self, message: Any) -> bool:
        """Take an event, such as a key, as if it came now."""

    def copy_to_clipboard(self, text: str) -> None:
        """Hand a text to the clipboard of the terminal, where that allows it."""

    def handle_error(self, error: Exception) -> None:
        """Tell an unexpected error and go on."""

    def exit(self, result: int = 0, return_code: int = 0) -> None:
        """Leave."""


class Messages:
    """The message line: one sentence, and whether it is an error."""

    def __init__(self, view: Callable[[], View | None]) -> None:
        self._view = view
        self.sentence, self.is_error = "", False

    def say(self, sentence: str, error: bool = False) -> None:
        """Put one sentence on the message line; "" clears it."""
        self.sentence, self.is_error = sentence, error
        if (view := self._view()) is not None:
            view.show_message()


class FirstLook:
    """How long the offer or request that Enter takes has been in sight.

    An Enter that comes less than `GRACE` seconds after the first paint of a new one was typed for something
    else. It does not take it; the next Enter does, at any speed.
    """

    GRACE = 0.4

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._seen: object = None
        self._since = 0.0
        # Whether an Enter came too early, so that the line says "Enter again".
        self.asks_again = False

    def paint(self, shown: object) -> None:
        """Note what is painted now, None for nothing."""
        if shown != self._seen:
            self._seen, self._since, self.asks_again = shown, self._clock(), False

    def takes(self, shown: object) -> bool:
        """Return whether an Enter may take it now; else the next one may."""
        self.paint(shown)
        if self.asks_again or self._clock() - self._since >= self.GRACE:
            # The next offer is new, even if it is equal.
            self._seen, self.asks_again = None, False
            return True
        self.asks_again = True
        return False


class Prompts:
    """The question that is open, if one is."""

    def __init__(self, view: Callable[[], View | None]) -> None:
        self._view = view
        self.current: Question | None = None

    def open(self, prompt: Question) -> None:
        """Show a question, in place of one that is open."""
        self.current = prompt
        try:
            if (view := self._view()) is not None:
                view.prompt_changed()
            prompt.opened()
        except Exception:
            # One that cannot be shown must not keep the keys.
            self.close(prompt)
            raise

    def close(self, prompt: Question) -> None:
        """Close that question, if it is open."""
        if self.current is prompt:
            self.current = None
            if (view := self._view()) is not None:
                view.prompt_changed()

    def refresh(self) -> None:
        """Show what changed in the question."""
        if (view := self._view()) is not None:
            view.show_prompt()


class ActionKeys(Protocol):
    """The keys of a game's own actions."""

    def of(self, game: "Ruleset | None") -> "Mapping[str, Action]":
        """Return the actions of a game by key."""

    def names(self, game: "Ruleset | None") -> dict[str, str]:
        """Return the key of each action that has one, as a person reads it."""


class Services:
    """The services of one program. `source` is None while no fight is open.

    `cursor`: the id of the combatant under the cursor, the same on every screen. `key_names`: each key of
    the table as a person reads it. `typed_lines`: what was typed on the command line, oldest first.
    `chosen_action`: an action of the key table that was chosen by name; it is run before the next key.
    `game_keys`: the keys that a game gives to its own actions. `clock`: seconds that pass.
    """

    def __init__(
        self, program: Program, view: Callable[[], View | None], key_names: Mapping[str, str]
    ) -> None:
        self.program, self._view, self.key_names = program, view, key_names
        self.messages, self.prompts = Messages(view), Prompts(view)
        self.clock: Callable[[], float] = monotonic
        self.first_look = FirstLook(self.now)
        self.source: Source | None = None
        self.cursor = self.chosen_action = ""
        self.typed_lines: list[str] = []
        self.game_keys: ActionKeys | None = None
        self._run_command: Callable[[str, Callable[[Event], None] | None, Question | None], None]

    def now(self) -> float:
        """Return the seconds on the clock."""
        return self.clock()

    def carry_out_with(
        self, run: "Callable[[str, Callable[[Event], None] | None, Question | None], None]"
    ) -> None:
        """Say what carries out commands."""
        self._run_command = run

    def command(
        self,
        line: str,
        then: "Callable[[Event], None] | None" = None,
        asked_by: Question | None = None,
    ) -> None:
        """Carry out one line of the command language; real dice and choices are asked for.

        `then` is called with the event once it counts and is on the screen. `asked_by` is the question
        that the line comes from: it is opened again where the command cannot be carried out.
        """
        self._run_command(line, then, asked_by)

    def say(self, sentence: str, error: bool = False) -> None:
        """Put one sentence on the message line; "" clears it."""
        self.messages.say(sentence, error)

    @property
    def screen(self) -> str:
        """The name of the screen in sight, "" while there is none."""
        view = self._view()
        return view.screen_name if view is not None else ""

    @property
    def log_shows_newest(self) -> bool:
        """Whether the newest line of the log is in sight on the screen in sight."""
        return (view := self._view()) is not None and view.shows_newest_line

    def show_all(self) -> None:
        """Show everything on the screen in sight as it is now."""
        if (view := self._view()) is not None:
            view.refresh_all()

    def show_message(self) -> None:
        """Show the message line as it is now."""
        if (view := self._view()) is not None:
            view.show_message()

    def show_header(self) -> None:
        """Show the header as it is now."""
        if (view := self._view()) is not None:
            view.show_header()

    def show_change(self) -> None:
        """Show the fight after a command."""
        if (view := self._view()) is not None:
            view.show_change()

    def open_page(self, title: str, rows: PageRows, *, aside: bool = False) -> None:
        """Lay a page over the screen; `aside` over the pane at its right, where it has one."""
        if (view := self._view()) is not None:
            view.open_page(title, rows, aside=aside)

    def open_finder(self, title: str, rows: FinderRows) -> None:
        """Lay a page over the screen, in which typing finds."""
        if (view := self._view()) is not None:
            view.open_finder(title, rows)

    def find(self, text: str) -> bool:
        """Go to what holds the text on the screen in sight; return whether anything there does."""
        return (view := self._view()) is not None and view.find(text)

    @property
    def action_keys(self) -> "Mapping[str, Action]":
        """Return the keys of the game's own actions where a fight is in sight; none elsewhere."""
        return self.game_keys.of(self.source.game if self.source else None) if self.game_keys else {}

    @property
    def action_key_names(self) -> dict[str, str]:
        """Return the key of each of the game's actions that has one, as a person reads it."""
        return self.game_keys.names(self.source.game if self.source else None) if self.game_keys else {}

    # Who is meant

    @property
    def under_cursor(self) -> "Combatant | None":
        """The combatant under the cursor."""
        return self.source.encounter.combatants.get(self.cursor) if self.source else None

    @property
    def offer(self) -> "Offer | None":
        """The first thing on offer that a command would do."""
        if self.source is None or not self.source.encounter.offers:
            return None
        # Only now, for the first picture rarely needs it.
        from systems.commands.offers import to_take

        return next(iter(to_take(self.source.encounter)), None)

    @property
    def actor(self) -> "Combatant | None":
        """Who acts: who has the turn; of a side or group that has it, the one under the cursor.

        Once the fight is over it is one of the players, whoever had the turn last.
        """
        if self.source is None:
            return None
        from systems.encounter.schedule import may_act

        encounter, chosen = self.source.encounter, self.under_cursor
        if encounter.progress.over:
            party = [each for each in encounter.in_line() if encounter.is_player(each)]
            living = (each for each in party if encounter.status(each).in_order)
            return chosen if chosen in party else next(living, chosen)
        if chosen and may_act(encounter, chosen.id) and encounter.status(chosen).acts:
            return chosen
        return encounter.turn or chosen
