"""The application: which screens there are, and the one way in which a fight changes."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from textual.binding import Binding
from textual.events import Event as TextualEvent
from textual.events import Key, Paste

from systems.encounter.history import Event
from tui.controllers.background import BackgroundServices
from tui.screens import SCREENS
from tui.screens.base import FightScreen
from tui.settings.keymap import OwnKeys, keys_file, own_keys, shown_keys
from tui.terminal.error_handling import ErrorHandlingApp

if TYPE_CHECKING:
    from textual.driver import Driver

    from systems.contract.ruleset import Action
    from systems.encounter.model import Combatant, Offer
    from tui.display.text import Row
    from tui.prompts.options import Options
    from tui.prompts.prompt import Prompt
    from tui.session.opening import OpenEncounter
    from tui.session.session import Session


def _first_screen(wanted: str, chooses: bool) -> str:
    """Return the screen to start on: the chooser without a fight, else the wanted one, else the order."""
    return "campaigns" if chooses else wanted if wanted in SCREENS else "initiative"


class AffrayApp(ErrorHandlingApp):
    """The game master's program. `campaign` and `session` are what is open; None before one is chosen.

    `cursor` is the id of the combatant under the cursor, the same on every screen.
    """

    TITLE = "Affray"
    # Home's own rules are read with the frame's: a screen that brings rules has all of them read again.
    CSS_PATH = ["app.tcss", "screens/initiative.tcss"]
    # Textual's own palette searches beside the keys, so that Enter may meet what was found before.
    ENABLE_COMMAND_PALETTE = False
    # Elsewhere it takes a step back, and in a shell it would put the program away: here it names the key.
    BINDINGS: ClassVar[list[Any]] = [Binding("ctrl+z", "help_undo", show=False)]
    MODES: ClassVar[dict[str, Any]] = SCREENS
    DEFAULT_MODE = "initiative"

    def __init__(
        self,
        *,
        campaign: Any = None,
        session: "Session | None" = None,
        chooser: bool = False,
        notice: str = "",
        screen: str = "",
        cursor: str = "",
    ) -> None:
        # Textual's constructor reads the mode to start in.
        self.DEFAULT_MODE = _first_screen(screen, chooser or session is None)  # type: ignore[misc]
        super().__init__()
        self.campaign, self.session, self.notice = campaign, session, notice
        # What goes on beside the keys, and the folder of campaigns that was named.
        self.alongside = BackgroundServices(self)
        self._fight: OpenEncounter | None = None
        self.folder: str | None = None
        self.cursor = cursor
        self.typed_lines: list[str] = []
        # What the palette has chosen: carried out before the next key is looked at.
        self.chosen_action = ""
        self.sentence, self.is_error = notice, False
        mine: OwnKeys = own_keys(keys_file())
        self.key_names = shown_keys(mine.keymap)
        self.set_keymap(dict(mine.keymap))
        if mine.problems:
            self.sentence, self.is_error = "; ".join(mine.problems), True

    def get_driver_class(self) -> "type[Driver]":
        """Textual's choice, in our version where there is one."""
        found = super().get_driver_class()
        if found.__name__ != "LinuxDriver":
            return found
        from tui.terminal.driver import QuickDriver

        return QuickDriver

    # What is open

    @property
    def fight(self) -> "OpenEncounter | None":
        """What holds the lock of the campaign; setting it saves in the background from then on."""
        return self._fight

    @fight.setter
    def fight(self, fight: "OpenEncounter | None") -> None:
        self._fight = fight
        self.alongside.opened(fight)

    @property
    def unsaved(self) -> str:
        """What is not on the disk, in the words of the header; empty when everything is saved."""
        return self.alongside.saved.words

    def use_fight(self, fight: "OpenEncounter") -> None:
        """Show that fight, in place of the one that is open."""
        self.campaign, self.session, self.fight = fight.campaign, fight.session, fight
        self.show_all()

    def remember_spot(self, *, dropped: bool) -> None:
        """Keep the cursor in mind, and the screen when nobody has chosen to leave."""
        from tui.settings.remembered import Spot, remember

        if self.fight is not None:
            screen = self.current_mode if dropped and self.is_running else ""
            remember(self.fight.campaign.path, Spot(self.fight.encounter, screen, self.cursor))

    def choose_colours(self, theme: str) -> None:
        """Another theme, from now on and whenever the program is opened."""
        from tui.settings.remembered import remember_colours

        self.theme = theme
        remember_colours(theme)

    def use_own_colours(self) -> None:
        """The theme that was chosen last, as far as there is one of that name."""
        from tui.settings.remembered import recall_colours

        if (theme := recall_colours()) in self.available_themes:
            self.theme = theme

    def on_load(self) -> None:
        self.alongside.heed_signals()
        self.heed_tasks()

    def on_ready(self) -> None:
        self.alongside.start()

    def on_driver_signal_resume(self) -> None:
        # The program was stopped and goes on: the terminal shows what the shell has left there.
        self.refresh(layout=True)

    def exit(self, *arguments: Any, **named: Any) -> None:
        """Leave; see Textual's own. What others write from now on is for the next opening."""
        self.alongside.stop()
        super().exit(*arguments, **named)

    # What screens and prompts call

    def show_all(self) -> None:
        """Everything on the screen in sight, as it is now."""
        if isinstance(self.screen, FightScreen):
            self.screen.refresh_all()

    def say(self, sentence: str, error: bool = False) -> None:
        """Put one sentence on the message line; "" clears it."""
        self.sentence, self.is_error = sentence, error
        if isinstance(self.screen, FightScreen):
            self.screen.show_message()

    def command(
        self,
        line: str,
        then: Callable[[Event], None] | None = None,
        asked_by: "Prompt | None" = None,
    ) -> None:
        """Carry out one line of the command language; asks for real dice and choices where needed.

        `then` is called with the event once it counts and is on the screen. `asked_by` is the question
        that it comes from: open again when it cannot be.
        """
        from tui.controllers.command_runner import CommandRunner

        CommandRunner(self, line, then, asked_by).go()

    def fight_changed(self, event: Event) -> None:
        """The fight is another one now: show it on the screen in sight, at once."""
        screen = self.screen
        if isinstance(screen, FightScreen):
            screen.header.show()
            screen.show_fight()

    # Keys, in the order in which they were typed

    async def on_event(self, event: TextualEvent) -> None:
        # Keys are acted upon here and not in the widgets' own queues, so that what is typed ahead
        # meets the question that the key before it has opened.
        if isinstance(event, (Key, Paste)) and not event.is_forwarded and await self._take(event):
            return
        await super().on_event(event)

    async def _take(self, event: "Key | Paste") -> bool:
        screen = self.screen
        if not isinstance(screen, FightScreen):
            return False
        if screen.is_too_small:
            # What nobody can see is not acted upon.
            return not (isinstance(event, Key) and event.key in ("ctrl+q", "ctrl+c"))
        if isinstance(event, Key) and screen.take_for_page(event):
            return True
        if screen.prompt is not None and (isinstance(event, Paste) or event.key not in ("ctrl+q", "ctrl+c")):
            if isinstance(event, Paste):
                screen.prompt.paste(event.text)
            else:
                screen.prompt.key(event)
            if self.chosen_action:
                action, self.chosen_action = self.chosen_action, ""
                await self.run_action(action, screen)
            return True
        if isinstance(event, Paste):
            self.say(f"What is pasted is for a question: {self.key_names['line']} opens the command line.")
            return True
        # A key that does nothing here ends here. In a widget's queue it would wait, and come back up when
        # another screen is in sight, on which it does something.
        await self._check_bindings(event.key)
        return True

    def action_ask(self, what: str) -> None:
        """Open a question by its name; see tui.prompts.open."""
        from tui.prompts.open import ask

        ask(self, what)

    async def action_quit(self) -> None:
        self.remember_spot(dropped=False)
        await self.alongside.leave()

    def action_help_quit(self) -> None:
        self.say(f"{self.key_names['quit']} leaves; everything is saved already")

    def action_help_undo(self) -> None:
        self.say(f"{self.key_names['undo']} undoes the last command, {self.key_names['redo']} does it again")

    # What prompts ask of the table

    @property
    def prompt(self) -> "Prompt | None":
        """The question that is open."""
        return self.screen.prompt if isinstance(self.screen, FightScreen) else None

    @property
    def under_cursor(self) -> "Combatant | None":
        """The combatant under the cursor."""
        return self.session.encounter.combatants.get(self.cursor) if self.session else None

    @property
    def offer(self) -> "Offer | None":
        """The first thing on offer that a command would do."""
        offers = self.session.encounter.offers if self.session else ()
        return next((one for one in offers if one.command), None)

    def actor(self) -> "Combatant | None":
        """Who acts: whoever has the turn; where a side has it, the one of it under the cursor."""
        if self.session is None:
            return None
        encounter, one = self.session.encounter, self.under_cursor
        progress = encounter.progress
        if one is not None and encounter.style == "sides" and one.side == progress.side:
            due = one.state.done < progress.round and encounter.status(one).acts
            if due and not progress.interrupted and not one.state.arrives and not one.state.waits:
                return one
        return encounter.turn or one

    def prepare(self, action: "Action") -> None:
        """Ask for the targets and options of an action, or do it when there is nothing to ask."""
        from tui.prompts.open import prepare

        prepare(self, action)

    def show_odds(self, action: "Action", actor: "Combatant", target: str | None, options: "Options") -> None:
        """The odds in full on a page."""
        from tui.prompts.open import show_odds

        show_odds(self, action, actor, target, options)

    def open_prompt(self, prompt: "Prompt") -> None:
        if isinstance(self.screen, FightScreen):
            self.screen.open_prompt(prompt)

    def close_prompt(self, prompt: "Prompt") -> None:
        if isinstance(self.screen, FightScreen) and self.screen.prompt is prompt:
            self.screen.close_prompt()

    def show_header(self) -> None:
        """The header as things are now."""
        if isinstance(self.screen, FightScreen):
            self.screen.header.show()

    def open_page(self, title: str, made: "Callable[[int], Sequence[Row]]") -> None:
        """Lay a page over the screen, of the rows that `made` makes for its width."""
        if isinstance(self.screen, FightScreen):
            self.screen.panel.open(title, made)

    def show_prompt(self) -> None:
        if isinstance(self.screen, FightScreen):
            self.screen.dock.show()
