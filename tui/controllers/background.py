"""Background services: saving, watching files, following another program's fight, and signals."""

import asyncio
import gc
import os
import signal
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING

from systems.errors import Wrong
from systems.frozen import evolve
from tui.campaign.campaign import PLAN, Campaign
from tui.campaign.lock import CampaignLocked, is_held, take
from tui.campaign.problems import FileProblem, NotSaved
from tui.session.opening import NoEncounter, open_fight, with_changed_rules
from tui.session.write_queue import Saved, WriteQueue
from tui.settings.keymap import file_version, keys_file
from tui.settings.remembered import Spot, remember

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tui.campaign.notify import Notify
    from tui.campaign.watch import Follower, Watch
    from tui.controllers.dangers import Dangers
    from tui.controllers.forecasts import Forecasts
    from tui.controllers.plans import Plans
    from tui.controllers.table import Table
    from tui.session.opening import OpenEncounter
    from tui.session.session import Session


# Seconds that leaving waits for a slow disk before it asks, and that a program without a terminal waits
# before it ends.
PATIENCE = 3.0
# Seconds to wait, because an editor may write a file in several steps.
SETTLED = 0.1
# Seconds between two imports, so that a key pressed meanwhile waits for one at most.
QUIET = 0.05
# Number of checks whether another program has released the fight, and the seconds between them.
_LOOKS_WHEN_ASKED, _LOOKS_WHEN_ENDED, _BETWEEN_LOOKS = 20, 120, 0.1


class BackgroundServices:
    """Saves and watches the fight that is open at a table. Starts with the program."""

    def __init__(self, table: "Table") -> None:
        self.table, self.services = table, table.services
        self.write_queue: WriteQueue | None = None
        self._keys_file = keys_file()
        self._keys_version = file_version(self._keys_file)
        self._notify: Notify | None = None
        self._watch: Watch | None = None
        self._follower: Follower | None = None
        # Whether another program has the campaign, as last seen. None if no program had it at first.
        self._held: bool | None = None
        self._looking: asyncio.TimerHandle | None = None
        self._importing: asyncio.Task[None] | None = None
        # The plans of the creatures, created for the first one.
        self._plans: Plans | None = None
        self._taking: asyncio.Task[None] | None = None
        self._last_resort: Timer | None = None
        # Whether danger is calculated. Tests of the screens leave it out.
        self.shows_danger = False
        self._why = ""
        self._started = self._leaving = False

    # Opening a fight; start and end of the app

    def opened(self, fight: "OpenEncounter | None") -> None:
        """Switch to another fight: save it in the background, and watch its files."""
        self.stop()
        self.write_queue = fight.save_in_background(self._saved_changed) if fight else None
        if self._started:
            self._begin(fight)
        if self.table.desk is not None:
            self.table.desk.start()

    def start(self, imports: "Iterator[None]") -> None:
        """Start watching files when the app runs, and import the other modules in quiet moments.

        `imports` imports a few with each step.
        """
        self._started = True
        if not gc.isenabled():
            # Objects that exist now stay until the end.
            gc.freeze()
            gc.enable()
        self._begin(self.table.fight)
        self._importing = asyncio.create_task(self._import_the_rest(imports))

    def handle_signals(self) -> None:
        """End normally on SIGHUP and SIGTERM. Call this before the terminal is changed."""
        if sys.platform != "win32":
            loop = asyncio.get_running_loop()
            for number in (signal.SIGHUP, signal.SIGTERM):
                # In tests, the loop may not run in the main thread.
                with suppress(ValueError, RuntimeError):
                    loop.add_signal_handler(number, self.end_on_signal, number)
                    # A pipe wakes the loop. This handler helps a loop that is blocked by the terminal.
                    signal.signal(number, self._stop_writing)

    def end(self) -> None:
        """Stop watching and listening for good."""
        if self._importing is not None:
            # Its last step would listen again.
            self._importing.cancel()
        self.stop()

    def stop(self) -> None:
        """Stop watching files and listening for seats."""
        if self.table.desk is not None:
            self.table.desk.stop()
        if self.table.dangers is not None:
            self.table.dangers.stop()
        if self.table.forecasts is not None:
            self.table.forecasts.stop()
        if self._notify:
            self._notify.stop()
        if self._looking:
            self._looking.cancel()
        self._notify = self._looking = self._watch = self._follower = None

    def _begin(self, fight: "OpenEncounter | None") -> None:
        from tui.campaign.notify import Notify

        self._held = None
        if fight is not None:
            from tui.campaign.watch import Follower, Watch

            self._watch = Watch(fight.campaign.path)
            if fight.session.read_only:
                self._held = is_held(fight.campaign.path) or None
                self._follower = Follower(fight.campaign.path, fight.encounter, fight.end)
        self._notify = Notify(self._watched_folders, self._look)
        self._notify.start()

    def _watched_folders(self) -> "Iterable[Path]":
        """Return the folders of the open campaign and of the user's own keys."""
        return (*(self._watch.folders() if self._watch else ()), self._keys_file.parent)

    @property
    def is_read_only(self) -> bool:
        """Return whether the fight is read-only here: another program has it, or the disk is read-only."""
        session = self.table.session
        return session is not None and session.read_only and self._held is not False

    @property
    def listens(self) -> bool:
        """Return whether changes by other programs are noticed."""
        return self._notify is not None

    async def _import_the_rest(self, imports: "Iterator[None]") -> None:
        for _ in imports:
            await asyncio.sleep(QUIET)
        self.open_desk()
        if self.shows_danger:
            self.open_forecasts()
            self.open_dangers()

    def open_dangers(self) -> "Dangers":
        """Calculate from now on how likely each player's character falls before its next turn."""
        from tui.controllers.dangers import Dangers

        if self.table.dangers is None:
            self.table.dangers = Dangers(self.table, self.services.show_change)
            self.services.show_change()
        return self.table.dangers

    def open_plans(self) -> "Plans":
        """Return the plans of the creatures."""
        from tui.controllers.plans import Plans

        if self._plans is None:
            self._plans = Plans(self.table)
        return self._plans

    def open_forecasts(self) -> "Forecasts":
        """Return what shows the odds of the whole fight."""
        from tui.controllers.forecasts import Forecasts

        if self.table.forecasts is None:
            self.table.forecasts = Forecasts(self.table)
        return self.table.forecasts

    def fight_moved(self) -> None:
        """Go on with the plan of the creatures after a new event, if there is one."""
        session = self.table.session
        if session is not None and (self._plans is not None or session.plays_foes):
            self.open_plans().fight_moved(session)

    def open_desk(self) -> None:
        """Listen for the server of the seats, if this program writes the fight and does not listen yet."""
        from tui.controllers.seats import SeatDesk

        if self.table.desk is None:
            self.table.desk = SeatDesk(self.table)
            self.table.desk.start()

    # Saving

    @property
    def saved(self) -> Saved:
        """Return the state of saving: the events that are not on the disk yet, and why."""
        return self.write_queue.saved if self.write_queue else Saved()

    def _saved_changed(self) -> None:
        """Show the state of saving. Runs in the saving thread."""
        self.services.program.call_later(self._show_saved)

    def _show_saved(self) -> None:
        from tui.controllers.leaving import LeavingPrompt

        saved = self.saved
        is_news = saved.why != self._why or not self.services.messages.sentence
        if saved.why and is_news and self.services.prompts.current is None:
            self.services.say(
                f"Not saved yet: {saved.why}. You can play on; Affray keeps trying.", error=True
            )
        elif self._why and not saved.waiting:
            self.services.say("Everything is saved again.")
        self._why = saved.why
        self.services.show_header()
        if isinstance(self.services.prompts.current, LeavingPrompt):
            if saved.waiting:
                self.services.prompts.refresh()
            else:
                self.services.program.exit(0)

    async def leave(self) -> None:
        """Leave when everything is saved. If it can't be saved, ask first."""
        if self._leaving:
            return
        write_queue = self.write_queue
        if write_queue is None or not write_queue.saved.waiting:
            self.services.program.exit(0)
            return
        self._leaving = True
        self.services.say("Leaving as soon as everything is saved …")
        try:
            saved = await asyncio.to_thread(write_queue.drain, PATIENCE)
        finally:
            self._leaving = False
        if saved:
            self.services.program.exit(0)
            return
        from tui.controllers.leaving import LeavingPrompt

        program = self.services.program
        self.services.say("")
        self.services.prompts.open(
            LeavingPrompt(self.services, lambda: self.saved, write_queue.retry, partial(program.exit, 0))
        )

    # Ending on a signal

    def end_on_signal(self, number: int) -> None:
        """Save everything, restore the terminal and end, whatever state the terminal is in."""
        self.remember_spot(dropped=True)
        self._begin_last_resort(128 + number)
        asyncio.ensure_future(self._end_in_order(128 + number))  # noqa: RUF006 - the app ends with it

    def _stop_writing(self, number: int, frame: object) -> None:
        """Give up on a terminal that is not read, even if the event loop waits for it."""
        from tui.terminal.driver import PatientWriter

        PatientWriter.told_to_end.set()
        self._begin_last_resort(128 + number)

    def _begin_last_resort(self, status: int) -> None:
        """End after a while, because a lost terminal may keep the app from ending normally."""
        if self._last_resort is None:
            self._last_resort = Timer(2 * PATIENCE, self._end, (status,))
            self._last_resort.daemon = True
            self._last_resort.start()

    async def _end_in_order(self, status: int) -> None:
        saved = self.write_queue is None or await asyncio.to_thread(self.write_queue.drain, PATIENCE)
        if saved and self.table.fight is not None:
            # A terminal that is not read may delay the end, so release the campaign first.
            await asyncio.to_thread(self.table.fight.close)
        self.services.program.exit(status, return_code=status)

    def _end(self, status: int) -> None:
        fight = self.table.fight
        try:
            if fight is not None:
                fight.close()
        finally:
            os._exit(status)

    # Others

    def _look(self) -> None:
        """Check for changes on the disk."""
        if not self.services.screen:
            return
        if self._follower:
            self._follow(self._follower)
            self._look_at_lock()
        if self._looking is None and (self._watch or self._keys_changed()):
            self._looking = asyncio.get_running_loop().call_later(SETTLED, self.read_changed)

    def _keys_changed(self) -> bool:
        return file_version(self._keys_file) != self._keys_version

    def _look_at_lock(self) -> None:
        """Report that the program that had the campaign is gone."""
        fight = self.table.fight
        if self._held is None or fight is None or is_held(fight.campaign.path) == self._held:
            return
        self._held = not self._held
        if not self._held:
            self.services.say("The other program has closed the fight. Your next command continues it here.")
        self.services.show_header()

    def _follow(self, follower: "Follower") -> None:
        session = self.table.session
        try:
            events = follower.news()
            if events and session is not None:
                session.follow(events)
        except (FileProblem, Wrong, KeyError, ValueError):
            # The log was replaced: the other program has taken events back.
            self.services.program.call_later(self._reopen_read_only)
            return
        if events:
            self.services.show_change()

    def take_over(self) -> "Session | None":
        """Return the fight for playing, after the other program has released it. Return None before that."""
        before = self.table.fight
        if before is None:
            return None
        try:
            take(before.campaign.path).release()
            fight = open_fight(before.campaign.path, before.encounter)
        except (CampaignLocked, NotSaved, FileProblem, NoEncounter):
            return None
        fight.session.streams, fight.session.dice = before.session.streams, before.session.dice
        self._use(fight)
        return fight.session

    def take_over_from_other(self) -> None:
        """Ask the other program to give up the fight. End it if it does not answer."""
        self._taking = asyncio.create_task(self._take_over_from_other())

    async def _take_over_from_other(self) -> None:
        fight = self.table.fight
        if fight is None:
            return
        path = fight.campaign.path
        for step, looks in ((ask_for_fight, _LOOKS_WHEN_ASKED), (end_owner, _LOOKS_WHEN_ENDED)):
            step(path)
            for _ in range(looks):
                if self.take_over() is not None:
                    self.services.say("You have taken over the fight. The other program can only watch.")
                    return
                await asyncio.sleep(_BETWEEN_LOOKS)
        self.services.say(
            "the other program does not release the fight; close the fight there and try again", error=True
        )

    def give_up(self) -> None:
        """Let another program write the fight after everything is saved, and only watch from then on."""
        fight = self.table.fight
        if fight is None or fight.session.read_only:
            return
        fight.close()
        self._reopen_read_only()
        self.services.say("Another login has taken over the fight; you can only watch here.")

    def _use(self, fight: "OpenEncounter") -> None:
        self.table.open(fight)
        self.services.show_all()

    def remember_spot(self, *, dropped: bool) -> None:
        """Remember the cursor, and the screen if the connection dropped.

        Before the first frame nothing has changed, so nothing is written.
        """
        if not self._started:
            return
        if (fight := self.table.fight) is not None:
            screen = self.services.screen if dropped else ""
            remember(fight.campaign.path, Spot(fight.encounter, screen, self.services.cursor))

    def _reopen_read_only(self) -> None:
        fight = self.table.fight
        if fight is None:
            return
        with suppress(FileProblem, NoEncounter):
            self._use(open_fight(fight.campaign.path, fight.encounter, write=False))

    def read_changed(self) -> None:
        """Read the changes that other programs have written since the last check."""
        self._looking = None
        if not self.services.screen or self.services.prompts.current is not None:
            # Don't disturb typed text: the next check is soon.
            return
        if self._keys_changed():
            self._keys_version = file_version(self._keys_file)
            self.services.program.use_own_keys("keys.toml was reloaded.")
        fight, watch = self.table.fight, self._watch
        if fight is None or watch is None:
            return
        files = watch.changed()
        if not files:
            return
        from tui.campaign.watch import reread

        found = reread(fight.campaign if self.table.campaign is None else self.table.campaign, files)
        if not found:
            return
        misfit = self.bring_in(found.campaign)
        sentence = "; ".join([*map(str, found.wrong), *([misfit] if misfit else found.changes)])
        if found.wrong or misfit:
            sentence += "; the previous version stays in use"
        self.services.say(sentence, error=bool(found.wrong or misfit))
        self.services.show_all()

    def bring_in(self, campaign: object) -> str:
        """Use a changed campaign, for the open fight too. Return why that is impossible, or ""."""
        table, before = self.table, self.table.campaign
        assert isinstance(campaign, Campaign)
        session = table.session
        if session is not None and before is not None:
            if misfit := self._change_rules(session, campaign, before):
                return misfit
            session.roster = campaign.joinable
            if campaign.table.dice != before.table.dice:
                session.dice = campaign.table.dice  # type: ignore[assignment]  # one of its choices
            session.plays_foes = campaign.table.foes == PLAN
            if (campaign.house, campaign.order) != (before.house, before.order):
                session.house = campaign.house
                session.encounter = evolve(session.encounter, house=campaign.house, style=campaign.order)
        table.campaign = campaign
        return ""

    def _change_rules(self, session: "Session", campaign: "Campaign", before: "Campaign") -> str:
        """Use the campaign's conditions, meters and side. Return why the fight can't use them, or ""."""
        fight = self.table.fight
        is_same = (campaign.ruleset, campaign.table.players) == (before.ruleset, before.table.players)
        if is_same or fight is None:
            return ""
        try:
            session.encounter = with_changed_rules(session, campaign, fight.encounter)
        except FileProblem as problem:
            return str(problem)
        session.game = campaign.ruleset
        return ""


def ask_for_fight(campaign: Path) -> None:
    """Ask the program that has a campaign to give it up."""
    from tui.wire.listener import send_to_table
    from tui.wire.table_messages import TakeOver

    with suppress(OSError):
        send_to_table(campaign, TakeOver())


def end_owner(campaign: Path) -> None:
    """End a program of this machine that does not answer, in the same way as a dropped connection."""
    try:
        take(campaign).release()
    except CampaignLocked as held:
        if not held.elsewhere and held.pid > 1:
            with suppress(OSError):
                os.kill(held.pid, signal.SIGHUP)
                # A stopped process must continue in order to end.
                os.kill(held.pid, signal.SIGCONT)
    except NotSaved:
        return
