"""The application: builds services and screens, and passes keys on in the order they were typed."""

from typing import TYPE_CHECKING, Any, ClassVar

from textual.binding import Binding
from textual.events import Event as TextualEvent
from textual.events import Key, Paste

from systems.encounter.history import Event
from systems.text import clean, nearest
from tui.controllers.background import BackgroundServices
from tui.controllers.table import Table
from tui.screens.base import FightScreen
from tui.screens.catalogue import SCREEN_NAMES, import_later, screens_of
from tui.services import OpenPrompt, Services, apart_from_fight
from tui.settings.keymap import GameKeys, keys_file, own_keys, shown_keys
from tui.settings.keys import keys_of
from tui.settings.remembered import recall_colours, remember_colours
from tui.terminal.private import has
from tui.terminal.screen import run_binding
from tui.terminal.themed_app import ThemedApp

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.driver import Driver

    from systems.language.intents import Command
    from tui.session.session import Session


# These keys do the same, whatever question is open.
_PAST_QUESTIONS = ("ctrl+q", "ctrl+c", "f1")


def _first_screen(wanted: str, chooses: bool) -> str:
    """Return the screen to start on: the chooser without a fight, else the wanted one, else the order."""
    return "campaigns" if chooses else wanted if wanted in SCREEN_NAMES else "initiative"


class AffrayApp(ThemedApp):
    """The game master's program. `table` is the open fight and campaign; `services` serve the prompts."""

    TITLE = "Affray"
    # Home's rules are read together with the frame's, since a screen with its own rules makes Textual read
    # all of them again.
    CSS_PATH = ["app.tcss", "screens/initiative.tcss"]
    # Textual's own palette searches while keys arrive, so that Enter could run an earlier match.
    ENABLE_COMMAND_PALETTE = False
    # In other programs this is undo, and in a shell it would suspend the program. Here it names the key.
    BINDINGS: ClassVar[list[Any]] = [Binding("ctrl+z", "help_undo", show=False)]
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
        # Textual's constructor reads the mode to start in, and calls both a class's own.
        self.DEFAULT_MODE = _first_screen(screen, chooser or session is None)  # type: ignore[misc]  # as above
        self.services = Services(self, self._view, {})
        self.services.cursor = cursor
        self.table = Table(self.services, campaign, session)
        self.MODES = screens_of(self.table)  # type: ignore[misc, assignment]  # as above
        super().__init__()
        # The theme from before one was previewed.
        self._theme_before = ""
        self.background = self.table.background = BackgroundServices(self.table)
        self.services.command = self._carry_out
        self.use_own_keys(notice)

    def get_driver_class(self) -> "type[Driver]":
        """Return the driver that Textual chooses, or our version of it."""
        found = super().get_driver_class()
        if found.__name__ != "LinuxDriver" or not has("the quick driver"):
            return found
        from tui.terminal.driver import QuickDriver

        return QuickDriver

    def _view(self) -> FightScreen | None:
        """Return the current screen, if it is one of ours."""
        screen = self.screen_stack[-1] if self.screen_stack else None
        return screen if isinstance(screen, FightScreen) else None

    def _carry_out(
        self,
        line: str,
        then: "Callable[[Event], None] | None" = None,
        asked_by: OpenPrompt | None = None,
        read: "Command | None" = None,
    ) -> None:
        if line.lower().startswith("amend "):
            # Imported only for a correction of earlier events.
            from tui.controllers.amending import AmendRunner

            AmendRunner(self.table, line, then, asked_by, read).go()
            return
        match "" if read is not None else apart_from_fight(line):
            case "seats":
                self._carry_out_for_seats(line)
            case "danger":
                self.background.open_dangers().tell(self.services)
            case "forecast":
                self.background.open_forecasts().open()
            case "plan":
                self.background.open_plans().open(line, asked_by)
            case _:
                from tui.controllers.command_runner import CommandRunner

                CommandRunner(self.table, line, then, asked_by, read).go()

    def _carry_out_for_seats(self, line: str) -> None:
        """Carry out a line about the seats: show what it says, or the invitations."""
        from tui.screens.seats.lines import carry_out_for_seats

        self.background.open_desk()
        carry_out_for_seats(self.table, line)

    # The colours

    def choose_colours(self, theme: str) -> None:
        """Use another theme, now and whenever the program is opened."""
        self.theme, self.has_chosen_theme = theme, True
        remember_colours(theme)

    def preview_colours(self, theme: str) -> None:
        """Show a theme without choosing it; "" shows the chosen one again."""
        chosen = self._theme_before or self.theme
        self._theme_before = chosen if theme else ""
        self.theme = theme or chosen

    def use_own_colours(self) -> str:
        """Use the theme that was chosen last. Return what is wrong if it is gone."""
        return self.use_colours(theme) if (theme := recall_colours()) else ""

    def use_colours(self, theme: str) -> str:
        """Use a theme for this run. Return what is wrong if there is none of that name."""
        if theme in self.available_themes:
            self.theme, self.has_chosen_theme = theme, True
            return ""
        meant = nearest(theme, self.available_themes)
        maybe = f" (did you mean {meant}?)" if meant else ""
        return f'there are no colours "{clean(theme, 40)}"{maybe}; using {self.theme}'

    def on_load(self) -> None:
        self.background.handle_signals()
        self.handle_task_errors()

    def on_ready(self) -> None:
        self.background.start(import_later())

    def on_driver_signal_resume(self) -> None:
        # The program was suspended and continues: the terminal still shows the shell.
        self.refresh(layout=True)

    def exit(self, *arguments: Any, **named: Any) -> None:
        """Exit as Textual does. Later changes by others wait for the next opening."""
        self.background.end()
        super().exit(*arguments, **named)

    def on_unmount(self) -> None:
        self.background.end()

    def use_own_keys(self, said: str = "") -> None:
        """Use the keys of the user's file from now on. Report its problems, or say `said`."""
        mine = own_keys(keys_file())
        self.services.key_names = shown_keys(mine.keymap)
        self.services.game_keys = GameKeys(mine)
        self.set_keymap(dict(mine.keymap))
        self.services.say("\n".join(mine.problems) or said, error=bool(mine.problems))
        if (view := self._view()) is not None:
            view.refresh_all()

    def say(self, sentence: str, error: bool = False) -> None:
        """Show a sentence on the message line; "" clears it."""
        self.services.say(sentence, error)

    @property
    def sentence(self) -> str:
        """Return the sentence on the message line."""
        return self.services.messages.sentence

    # Keys, in the order they were typed

    async def on_event(self, event: TextualEvent) -> None:
        # Keys are handled here, and not in the widgets' own queues, so that a key typed ahead reaches the
        # question that the key before it has opened.
        if isinstance(event, (Key, Paste)) and not event.is_forwarded and await self._take(event):
            return
        await super().on_event(event)

    async def _take(self, event: "Key | Paste") -> bool:
        screen, prompt = self._view(), self.services.prompts.current
        if screen is None:
            return False
        if screen.is_too_small:
            # A key does nothing while the screen is too small to be shown.
            return not (isinstance(event, Key) and event.key in ("ctrl+q", "ctrl+c"))
        if isinstance(event, Key) and screen.take_for_page(event):
            return True
        if prompt is not None and (isinstance(event, Paste) or event.key not in _PAST_QUESTIONS):
            if isinstance(event, Paste):
                if why := prompt.why_not_pasted(event.text):
                    self.say(why, error=True)
                else:
                    prompt.paste(event.text)
            else:
                prompt.key(event)
            if action := self.services.chosen_action:
                self.services.chosen_action = ""
                await self.run_action(action, screen)
            return True
        if isinstance(event, Paste):
            key = self.services.key_names["line"]
            self.say(f"Pasting works only in a prompt; {key} opens the command line.")
            return True
        if screen.take_key(event):
            return True
        # A key without use here ends here. In a widget's queue it would wait until another screen is shown,
        # and do something there.
        await run_binding(self, event.key)
        return True

    async def action_go(self, screen: str, action: str, said: str) -> None:
        """Go to another screen, then run an action there or show a sentence."""
        await self.switch_mode(screen)
        self.say(said)
        if action and (view := self._view()) is not None:
            await self.run_action(action, view)

    async def action_quit(self) -> None:
        self.background.remember_spot(dropped=False)
        await self.background.leave()

    def action_help_quit(self) -> None:
        self.services.say_how_to_quit()

    def action_help_undo(self) -> None:
        names, screen = self.services.key_names, self.services.screen
        own = {"roster": "kind_restore", "campaigns": "deleted_back"}.get(screen)
        of_screen = f"{names[own]} undoes the last change here" if own else ""
        of_fight = f"{names['undo']} undoes the last command, {names['redo']} redoes it"
        works = "undo" in {key.id for key in keys_of(screen)}
        self.say("; ".join(filter(None, (of_screen, of_fight if works else ""))))
