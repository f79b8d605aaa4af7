"""The frame of the four screens of a fight: header, body, dock of questions, message line, keys.

A screen derives from FightScreen, sets NAME, gives its body by `compose_body` and its current state
by `show_fight`, which must update everything in sight at once and without layout.
"""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.containers import Container
from textual.events import Key
from textual.geometry import Size
from textual.reactive import Reactive
from textual.widget import Widget

from systems.encounter.model import Combatant
from systems.encounter.schedule import beaten_sides, losing_actions, who_is_to_arrive
from systems.text import listed
from tui.controllers.table import Table
from tui.display.frame import (
    Header,
    Standing,
    footer_row,
    header_row,
    message_rows,
    offered,
)
from tui.display.text import Row
from tui.services import FinderRows, PageRows
from tui.settings.key_names import shown_key
from tui.settings.keys import FIGHT, READ, ScreenName, keys_of
from tui.widgets.question_screen import QuestionScreen
from tui.widgets.text_rows import TONE_CLASSES, TextRows

if TYPE_CHECKING:
    from systems.encounter.model import Offer
    from tui.lists.action_answers import OfferOdds
    from tui.session.session import Session

# The change is reported, because with Caps Lock on the key is pressed by accident.
DICE_SAID = {
    "program": "The program rolls all dice.",
    "real": "All dice are real now: Affray asks for each.",
    "players": "The players' dice are real now, the program rolls the others.",
}
# Rows of a prompt with a short list, including the line above it.
DOCK_ROWS = 8
# The largest share of the screen's height for a long message.
MESSAGE_SHARE = 4


class Body(Container):
    """The widgets between header and dock; they never scroll."""

    # Its height never requires a new layout of the screen.
    virtual_size = Reactive(Size(0, 0), layout=False, repaint=False)


class FightScreen(QuestionScreen):
    """One of the screens of a fight: its frame, and one method for each action of the key table.

    `table` is what is open, `services` what the program offers; see tui.services.
    """

    NAME: ClassVar[ScreenName]
    # Whether the dock is visible without a prompt, and its title then.
    DOCK_STAYS: ClassVar[bool] = False
    DOCK_TITLE: ClassVar[str] = ""
    AUTO_FOCUS = ""
    COMPONENT_CLASSES = TONE_CLASSES

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table, self.services = table, table.services
        self.header = TextRows(self._header_rows, id="header")
        self.dock = TextRows(self.dock_rows, id="dock", classes="-open" if self.DOCK_STAYS else "")
        self.dock.change_title(self.DOCK_TITLE)
        self.message = TextRows(self._message_rows, id="message")
        self._message_lines = 1
        self.keys = TextRows(self.footer_rows, id="keys")
        self._offer_odds: OfferOdds | None = None
        # The state of the fight when the footer was made.
        self._standing: Standing | None = None
        self._ends: tuple[object, object, str] | None = None

    @property
    def screen_name(self) -> str:
        """Return the screen's name in the table of keys."""
        return self.NAME

    def compose(self) -> ComposeResult:
        yield self.header
        with Body(id="body"):
            yield from self.compose_body()
        yield self.dock
        yield self.message
        yield self.keys

    @abstractmethod
    def compose_body(self) -> ComposeResult:
        """Yield the widgets between the header and the dock."""

    @abstractmethod
    def show_fight(self) -> None:
        """Show the current fight, all at once."""

    def find(self, text: str) -> bool:
        """Go to the first item that contains `text`; return whether there is one."""
        del text
        return False

    def way_back(self) -> Callable[[], None]:
        """Return a function that moves the cursor back to its present row."""
        return lambda: None

    def on_resize(self) -> None:
        self.show_message()

    def take_key(self, event: Key) -> bool:
        """Ask for the action of the game with this key. Return False for a key of the table of keys."""
        action = self.services.action_keys.get(event.key) if self.NAME in FIGHT else None
        if action is None:
            return False
        from tui.prompts.prepare import prepare

        self.services.say("")
        # On another screen the same letter undoes a change, so it is easily pressed by mistake.
        names = self.services.key_names
        undoes = shown_key(event.key) in (names["kind_restore"], names["deleted_back"])
        prepare(self.services, action, always_asks=undoes and action.group == "camp")
        return True

    def on_screen_resume(self) -> None:
        if self.is_mounted:
            self.refresh_all()
            # A program that is killed has no time to save its place.
            self.call_after_refresh(self.table.background.remember_spot, dropped=True)

    def refresh_all(self) -> None:
        """Show the current header, body and message line."""
        self.header.show()
        self.show_fight()
        self.keys.show()
        self.show_message()

    def show_header(self) -> None:
        """Show the current header."""
        self.header.show()

    def show_change(self) -> None:
        """Show the fight after a command, at once."""
        self.header.show()
        self.show_fight()
        if self._standing is not None and self._standing != self._fight_stands():
            self.keys.show()

    def _fight_stands(self) -> Standing:
        session = self.table.session
        if session is None:
            return Standing()
        progress, log = session.encounter.progress, session.log
        return Standing(
            is_empty=not progress.ids,
            begun=bool(progress.round),
            has_past=log.stands is not None,
            is_over=progress.over,
            has_events=bool(log.events),
            is_read_only=session.read_only,
        )

    def show_message(self) -> None:
        """Show the message on as many lines as it needs; most need one, and nothing moves."""
        lines = max(1, len(self._message(self.app.size.width)))
        lines = min(lines, max(1, self.app.size.height // MESSAGE_SHARE))
        if lines != self._message_lines:
            self._message_lines = lines
            self.set_height(self.message, lines)
        self.message.show()
        if self.services.messages.is_error and self.services.prompts.current is not None:
            # The prompt does not repeat it.
            self.dock.show()

    def prompt_changed(self) -> None:
        """Show the open prompt in the dock, or its resting content."""
        prompt = self.services.prompts.current
        is_asking = prompt is not None and prompt.IN_DOCK
        if not self.DOCK_STAYS:
            self.dock.set_class(is_asking, "-open")
            if prompt is not None and is_asking:
                # A list is visible as a whole, up to half of the screen.
                wanted = prompt.wanted_rows(self.size.width) + self.dock.styles.gutter.height
                self.set_height(self.dock, max(DOCK_ROWS, min(wanted, self.size.height // 2)))
        self.dock.show()
        self.keys.show()
        self.show_message()

    def show_prompt(self) -> None:
        """Show the changes in the prompt, and the current effects of its keys."""
        self.dock.show()
        self.keys.show()

    def open_page(
        self, title: str, rows: PageRows, *, aside: bool = False, closed: "Callable[[], None] | None" = None
    ) -> None:
        """Show a page over the screen with the rows that `rows` makes for its width.

        `aside`: over the right pane, if there is one, so that the rest stays visible. `closed`: see Panel.
        """
        self.panel.open(title, rows, self.aside if aside else None, closed=closed)

    def renew_page(self) -> None:
        """Make the rows of the open page again after a change in their content."""
        if self.panel.display:
            self.panel.renew()

    def open_finder(self, title: str, rows: FinderRows) -> None:
        """Show a page with a search field over the screen: `rows` takes a width and the search text."""
        self.panel.open_finder(title, rows)

    @property
    def aside(self) -> Widget | None:
        """Return the right pane, which a page can cover; None if there is none."""
        return None

    # Keys that do the same on every screen; a screen may change one of them.

    def action_command(self, line: str) -> None:
        self.services.command(line)

    def action_count_condition(self, by: int) -> None:
        """Change the value of a condition of the combatant under the cursor: its newest with a value."""
        if combatant := self.services.under_cursor:
            self.count_condition(combatant, by)

    def count_condition(self, combatant: Combatant, by: int, name: str = "") -> None:
        """Change the value of this condition, by default the newest with a value."""
        valued = [held.name for held in combatant.conditions if held.value is not None]
        if valued:
            from systems.language.tokens import quote

            which = quote(name if name in valued else valued[-1], always=True)
            self.services.command(f"count {combatant.id} {which} {by:+d}")
        else:
            self.services.say(f"{combatant.name} has no condition with a value", error=True)

    def action_turn(self) -> None:
        """Begin the next turn, or the first one."""
        session = self.table.session
        begun = session is None or session.encounter.progress.round
        if session is not None and not begun and session.dice != "program":
            self.action_ask("begin")
        elif session is not None and losing_actions(session.encounter, whole_side=False):
            self.action_ask("next turn")
        else:
            self.services.command("next" if begun else "start")

    def action_delay(self) -> None:
        """Delay the turn; in a side's turn, that of the member under the cursor."""
        session, actor = self.table.session, self.services.actor
        is_side = session is not None and session.encounter.style == "sides"
        self.services.command(f"delay {actor.id}" if is_side and actor is not None else "delay")

    async def action_show(self, mode: str) -> None:
        """Go to another screen; it is shown before the next key is read."""
        self.services.say("")
        await self.app.switch_mode(mode)

    async def action_house(self) -> None:
        """Go to the page of house rules, which is on the roster screen."""
        if self.table.campaign is None:
            self.table.say_no_fight()
            return
        await self.action_show("roster")
        await self.app.run_action("house", self.app.screen)

    def action_ask(self, what: str) -> None:
        """Open the prompt or do the work with that name; see tui.controllers.questions."""
        from tui.controllers.questions import ask

        ask(self.table, what)

    def action_end_of_fight(self) -> None:
        from tui.screens.end_of_fight import end_of_fight

        end_of_fight(self.table)

    def action_other_fight(self) -> None:
        from tui.controllers.other_fight import go_to_other_fight

        go_to_other_fight(self.table)

    def action_reorder(self, by: int) -> None:
        """Move the combatant under the cursor one place earlier (-1) or later (1) in the order of turns."""
        from systems.commands.reorder import whole_order

        session, services = self.table.session, self.services
        if session is None:
            self.table.say_no_fight()
            return
        combatant = services.under_cursor
        if combatant is None:
            services.say("no combatant is under the cursor", error=True)
            return
        order = whole_order(session.encounter)
        if combatant.id not in order:
            services.say(f"{combatant.name} has no place in the order now", error=True)
            return
        at = order.index(combatant.id) + by
        if not 0 <= at < len(order):
            services.say(f"{combatant.name} is {'first' if by < 0 else 'last'} already", error=True)
            return
        services.command(f"order {combatant.id} {'before' if by < 0 else 'after'} {order[at]}")

    def action_hide(self) -> None:
        combatant = self.services.under_cursor
        if combatant is None:
            self.services.say("no combatant is under the cursor", error=True)
        else:
            self.services.command(f"{'reveal' if combatant.state.hidden else 'hide'} {combatant.id}")

    def action_offer(self) -> None:
        offer, asked = self._offer_and_request()
        waits = self._waits_for_enter()
        if waits is not None and not self.services.first_look.takes(waits):
            self.show_message()
        elif offer is not None:
            # A seat may have asked for just this; then carry out its request, and not a second time.
            if self.table.desk is None or not self.table.desk.take_for(offer):
                from tui.prompts.prepare import take

                take(self.services, offer)
        elif asked and self.table.desk is not None:
            self.table.desk.take_waiting(0)

    def action_refuse(self) -> None:
        if self.table.desk is not None and self.table.desk.oldest_words:
            self.table.desk.refuse_waiting(0)

    def action_set_aside(self) -> None:
        if self.table.desk is not None and self.table.desk.oldest_words:
            self.table.desk.leave()

    def action_take_all(self) -> None:
        if self.table.desk is not None and self.table.desk.waiting_words:
            self.table.desk.take_all()
        else:
            self.services.say("no request waits")

    def action_take_over(self) -> None:
        session = self.table.session
        if session is None:
            self.table.say_no_fight()
        elif not session.read_only:
            self.services.say("you already run this fight")
        else:
            self.services.say("Taking over the fight …")
            self.table.background.take_over_from_other()

    def action_seats(self) -> None:
        from tui.screens.seats.prompts import SeatsPrompt

        self.table.background.open_desk()
        if self.table.desk is None or self.table.session is None:
            self.table.say_no_fight()
        else:
            self.services.say("")
            self.services.prompts.open(SeatsPrompt(self.services, self.table.desk))

    def _offer_and_request(self) -> "tuple[Offer | None, str]":
        """Return the rules' offer and the oldest request of a seat; None and "" for none.

        A die of a seat comes before all offers, and a request before quiet ones, which may stay open for many
        turns.
        """
        desk, offer = self.table.desk, self.services.offer
        if desk is None:
            return offer, ""
        request = desk.oldest_words
        if desk.has_question:
            return None, request
        if request and offer is not None and self.services.source is not None:
            from systems.commands.offers import is_quiet

            return None if is_quiet(self.services.source.encounter, offer) else offer, request
        return offer, request

    def _waits_for_enter(self) -> object:
        """Return the offer or request that Enter takes, None if there is none."""
        offer, request = self._offer_and_request()
        return self.table.desk.oldest if offer is None and request and self.table.desk else offer

    def action_why(self) -> None:
        from tui.controllers.questions import why

        why(self.table)

    def action_help(self) -> None:
        from tui.controllers.questions import help_page

        help_page(self.table)

    def action_dice(self) -> None:
        """Switch to the next dice mode, and save the choice in campaign.toml."""
        session = self.table.session
        if session is None:
            return
        problem = self.table.next_dice_mode()
        self.services.say(problem or DICE_SAID[session.dice], error=bool(problem))
        self.services.show_header()

    def action_palette(self) -> None:
        from tui.prompts.palette import PalettePrompt

        self.services.say("")
        self.services.prompts.open(PalettePrompt(self.services))

    async def action_quit(self) -> None:
        await self.app.action_quit()

    # Rows

    def _header_rows(self, width: int, height: int) -> Sequence[Row]:
        return [header_row(self._header(), width)]

    def _header(self) -> Header:
        """Return the contents of the header."""
        table, session = self.table, self.table.session
        title = str(getattr(table.campaign, "title", "") or "")
        if session is None:
            return Header(title)
        saved = table.background.saved
        unsaved = (saved.words, saved.brief) if saved.waiting else ("", "")
        return Header(
            title,
            session.encounter,
            session.dice,
            is_read_only=table.background.is_read_only,
            unsaved=unsaved[0],
            unsaved_brief=unsaved[1],
            is_refused=bool(saved.why),
            next_key=self.services.key_names["next"],
        )

    def _message(self, width: int) -> list[Row]:
        services = self.services
        is_free = services.prompts.current is None
        messages, (offer, asked) = services.messages, self._offer_and_request() if is_free else (None, "")
        if asked and offer is None and services.offer is not None:
            asked += f" · {services.key_names['actions']}: {services.offer.says}"
        key = services.key_names["offer"]
        key = f"{key} again" if services.first_look.asks_again else key
        odds, more = self._about_offer(offer) if offer is not None else ("", "")
        ends = self._end_words() if is_free and self.NAME in FIGHT and not messages.sentence else ""
        end_key = services.key_names["end"]
        return message_rows(
            messages.sentence,
            messages.is_error,
            offer,
            key,
            width,
            asked,
            odds=odds,
            more=more,
            ends=(end_key, ends),
            encounter=services.source.encounter if services.source else None,
        )

    def _end_words(self) -> str:
        """Return the message if a side is down, or if values to keep are not saved to the roster."""
        session = self.table.session
        if session is None or session.read_only or not session.encounter.progress.round:
            return ""
        # Calculated once for each state of the fight and the roster.
        of = (session.encounter, session.roster)
        if self._ends is None or self._ends[0] is not of[0] or self._ends[1] is not of[1]:
            self._ends = (*of, self._new_end_words(session))
        return self._ends[2]

    def _new_end_words(self, session: "Session") -> str:
        here, key = session.encounter, self.services.key_names["end"]
        if here.progress.over:
            from tui.screens.end_of_fight import is_written_back, keeps_anything

            ended_here = len(session.log.events) > self.table.opened_with
            kept = ended_here and not is_written_back(session) and keeps_anything(session)
            return f"The fight is over. {key} saves the party to the roster." if kept else ""
        if not (down := beaten_sides(here)):
            return ""
        coming = who_is_to_arrive(here)
        later = f"; {coming}" if coming else ""
        return f"The {listed(down)} are down{later}. {key} ends the fight."

    def _about_offer(self, offer: "Offer") -> tuple[str, str]:
        """Return the odds of an offer, and how much else is on offer with the key that lists it."""
        source = self.services.source
        if source is None:
            return "", ""
        if self._offer_odds is None:
            from tui.lists.action_answers import OfferOdds

            self._offer_odds = OfferOdds()
        from systems.commands.offers import alike

        together = len(alike(source.encounter, offer))
        others = sum(1 for other in source.encounter.offers if other.command) - together
        more = f"{self.services.key_names['actions']}: {others} more" if others > 0 else ""
        return self._offer_odds.words(source, offer) if together == 1 else "", more

    def _message_rows(self, width: int, height: int) -> Sequence[Row]:
        waits = self._waits_for_enter()
        if waits is None or self.services.prompts.current is None:
            self.services.first_look.paint(waits)
        found = self._message(width)
        if len(found) > height > 0:
            found[height - 1] = [*found[height - 1], (" …", "danger")]
        return found

    def resting_keys(self, width: int) -> Row:
        names = self.services.key_names
        keys = [key for key in keys_of(self.NAME) if self.NAME in key.footer and self.can_do(key.id)]
        shown = [(names[key.id], key.label) for key in keys]
        if self.NAME in READ:
            self._standing = self._fight_stands()
            found = offered(keys, self._standing, self.NAME)
            game = self.services.source.game if self.services.source else None
            # The footer shows the game's name for its main action.
            main = game.action(game.default_action) if game else None
            shown = [
                (names[key.id], main.title if main and key.id == "action" else label) for key, label in found
            ]
            acts = self.NAME in FIGHT and self._standing.acts
            own = self.services.action_keys.items() if acts else ()
            shown[-1:-1] = [(shown_key(key), action.title) for key, action in own]
        home = self.escape_does
        shown[-1:-1] = [("Esc", home)] if home else []
        # The way home, the help and the keys after them are never left out.
        stays = next(
            (at for at, (key, _) in enumerate(shown) if key in ("Esc", names["help"])), len(shown) - 1
        )
        return footer_row(shown, width, len(shown) - stays)

    def can_do(self, key: str) -> bool:
        """Return whether that key of the screen can do something now, so that the footer offers it."""
        encounter = self.table.session.encounter if self.table.session else None
        return key != "end_side" or (encounter is not None and encounter.style == "sides")

    @property
    def escape_does(self) -> str:
        """Return what Escape does here, for the footer; "" for nothing."""
        return "order"
