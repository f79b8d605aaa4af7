"""Open a fight: load its campaign and encounter, and take the writer's lock."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, cast

from msgspec import Struct, field

from systems.encounter.changes import apply_all
from systems.encounter.history import Event, Events, history
from systems.encounter.timeline import Timeline
from systems.errors import InputError, Wrong
from systems.frozen import evolve
from systems.schema.fields import former_names
from systems.sheets import check_version
from systems.text import clean, nearest, suggestion
from tui.campaign.campaign import PLAN, Campaign, load
from tui.campaign.encounters import in_progress
from tui.campaign.folders import remember
from tui.campaign.lock import CampaignLocked, Lock, take
from tui.campaign.log.blocks import LogEnd
from tui.campaign.log.file import LogWriter, read_log
from tui.campaign.log.snapshot import Snapshot, bookmark_of, later_bookmark
from tui.campaign.openings import opening_bytes, opening_of, read_opening
from tui.campaign.problems import UNFIT, FileProblem, NotSaved
from tui.campaign.progress import Tell, counted, silent
from tui.campaign.user_folders import unsaved_folders
from tui.session.session import DiceMode, Session, chance

if TYPE_CHECKING:
    from systems.encounter.model import Encounter
    from systems.encounter.roster import RosterChange
    from tui.session.write_queue import WriteQueue

PATIENCE = 3.0  # seconds that closing waits for a slow disk


class NoEncounter(InputError, ValueError):
    """The campaign has no encounter of that name, or none at all."""

    code = "unknown_name"


# A struct, because a dataclass takes a hundred times as long to create at the start.
class OpenEncounter(Struct, eq=False, dict=True, weakref=True):
    """A campaign with one encounter open. `close` releases its lock.

    `notice`: a line to show first. `why_read_only`: the reason why nothing can be written, else "".
    `end`: how far its log was read. `bookmark`: the snapshot from which the log was replayed.
    """

    campaign: Campaign
    encounter: str
    session: Session
    notice: str = ""
    _lock: Lock | None = None
    _writer: LogWriter | None = None
    end: LogEnd = field(default_factory=LogEnd)
    bookmark: Snapshot | None = None
    _saving: "WriteQueue | None" = None
    why_read_only: str = ""
    _closing: AbstractContextManager[object] = field(default_factory=RLock)

    def save_in_background(self, changed: Callable[[], None]) -> "WriteQueue | None":
        """From now on, save events in a thread, which calls `changed`. Return None if this is read-only."""
        if self._writer is None:
            return None
        from tui.session.write_queue import WriteQueue

        if self._saving is None:
            self._saving = self.session.writer = WriteQueue(self._writer, changed)
        return self._saving

    def write_kept(self, changes: "Sequence[RosterChange]") -> str:
        """Save to the roster what characters keep; return a sentence about unchanged fields, or "".

        Raises NotSaved, FileProblem.
        """
        from tui.campaign.kept import write_kept

        self.campaign, said = write_kept(self.campaign, changes)
        self.session.roster = self.campaign.joinable
        return said

    def close(self) -> None:
        """Write a cache for the next opening, and release the lock. A second call only waits for the first.

        Waits for unsaved events. Those that cannot be saved are written to a file of their own, which is
        reported on standard error.
        """
        with self._closing:
            lock, writer, self._lock, self._writer = self._lock, self._writer, None, None
            try:
                if self._saving is not None and writer is not None and (left := self._saving.close(PATIENCE)):
                    _keep_unsaved(writer, left)
                if writer is not None and lock is not None and lock.held:
                    self._keep_cache(writer)
            finally:
                if lock is not None:
                    lock.release()

    def _keep_cache(self, writer: LogWriter) -> None:
        log, mark = self.session.log, self.bookmark
        if mark is not None:
            known = mark.known.count if mark.stamp else writer.cached.end.n
            writer.keep_cache(log.events, known, lambda: later_bookmark(mark, log, self.session.curves))


def _keep_unsaved(writer: LogWriter, events: Sequence[Event]) -> None:
    from tui.campaign.log.recovery import save_unsaved
    from tui.terminal.notice import notice

    kept = save_unsaved(writer, events)
    count = f"{len(events)} events were" if len(events) != 1 else "1 event was"
    where = (
        f"kept in {kept} for the next opening"
        if kept
        else "and could not be kept anywhere else: they are lost"
    )
    notice(f"{count} not saved, {where}")


def open_fight(
    path: Path,
    encounter: str | None = None,
    *,
    write: bool = True,
    or_watch: bool = False,
    played: bool = False,
    seed: int | None = None,
    tell: Tell = silent,
) -> OpenEncounter:
    """Open a campaign on the named encounter, by default the current one.

    `write`: take its lock. Raises CampaignLocked if another program has it. `or_watch`: accept a read-only
    fight instead, or another encounter if the current one is bad. `played`: by default, open the fight played
    last, not an encounter that has not begun. `tell` is called with the number of events done. Also raises
    FileProblem, NotSaved and NoEncounter.
    """
    campaign = load(path)
    chosen = played_encounter(campaign) if played and encounter is None else None
    chosen = chosen or chosen_encounter(campaign, encounter, skip_bad=or_watch)
    lock, notice, why_read_only = None, "", ""
    if write:
        try:
            lock = take(path)
        except (CampaignLocked, NotSaved) as error:
            if not or_watch:
                raise
            why_read_only = str(error)
            notice = f"{error}; you can only watch it here"
    try:
        fight = _opened(campaign, chosen, lock, notice, seed, tell)
    except BaseException:
        if lock is not None:
            lock.release()
        raise
    fight.why_read_only = why_read_only
    return fight


def _opened(
    campaign: Campaign, encounter: str, lock: Lock | None, notice: str, seed: int | None, tell: Tell
) -> OpenEncounter:
    log_path, file = campaign.log_path(encounter), campaign.log_file(encounter)
    # Events are read first and replayed then; each half counts as half of the work.
    log = read_log(log_path, file, tell=lambda done, of: tell(done // 2, of))
    if log.problem:
        raise log.problem
    mark = bookmark_of(campaign, encounter, log.cached.extra)
    writer, back, brought = None, cast(Sequence[Event], []), ""
    if lock is not None:
        writer = LogWriter(log_path, file, log)
        if any(folder.is_dir() for folder in unsaved_folders()):
            # Imported only if a disk has refused events before.
            from tui.campaign.log.recovery import recover_unsaved

            back, brought = recover_unsaved(writer)
    written = Events(log.events, back) if back else log.events
    events = _present_events(campaign, encounter, file, written)
    session = _session(campaign, encounter, mark, events, writer, lambda done, of: tell((of + done) // 2, of))
    session.dice = cast(DiceMode, campaign.table.dice)
    session.plays_foes = campaign.table.foes == PLAN
    session.streams = chance(seed)
    if lock is not None:
        remember(campaign.path)
    read = writer or log
    notice = "; ".join(
        sentence for sentence in (notice, read.notice, brought, *map(str, campaign.problems[:1])) if sentence
    )
    fight = OpenEncounter(campaign, encounter, session, notice, lock, writer, read.end, mark)
    session.write_roster = fight.write_kept
    return fight


def _present_events(
    campaign: Campaign, encounter: str, file: str, events: Sequence[Event]
) -> Sequence[Event]:
    """Return the events for the current version of the game. Raises FileProblem."""
    game = campaign.ruleset
    try:
        # The newest event has the newest version that wrote to this log.
        check_version(game, events[-1].game_version if events else 1)
    except Wrong as wrong:
        raise FileProblem(file, 0, wrong.field, wrong.message, code=wrong.code) from None
    if game.version == 1 and not former_names(game.sheet):
        return events
    # Imported only for a game that has changed its sheets.
    from systems.encounter.migration import migrated

    try:
        return migrated(game, read_opening(campaign, encounter, check=False), events)
    except UNFIT as error:
        said = error if isinstance(error, InputError) else "a change cannot be read"
        raise FileProblem(file, 0, "", f"the events do not fit the game: {said}") from None


def _session(
    campaign: Campaign,
    encounter: str,
    mark: Snapshot,
    events: Sequence[Event],
    writer: LogWriter | None,
    tell: Tell,
) -> Session:
    """Return the fight after these events, replayed from a bookmark of them."""
    count = mark.known.count
    try:
        new = (events[at] for at in range(count, len(events)))
        present = apply_all(mark.encounter, counted(new, len(events), tell))
        log = history(events, mark.known)
    except UNFIT:
        # Imported only for a log with a problem.
        from tui.campaign.log.misfit import misfit

        path, file = campaign.log_path(encounter), campaign.log_file(encounter)
        if problem := misfit(path, file, mark.encounter, events, mark.known):
            raise problem from None
        raise
    if present.is_prepared:
        # A fight that has begun keeps its own sheets, so it skips this import.
        from systems.encounter.prepared import offer

        if stale := offer(present, campaign.roster):
            present = evolve(present, offers=(*present.offers, stale))
    session = Session(campaign.ruleset, campaign.house, campaign.joinable, present, log, writer)
    if count:
        session.curves = Timeline(mark.points, events[count - 1], mark.known.amends)
    return session


def with_changed_rules(session: Session, campaign: Campaign, encounter: str) -> "Encounter":
    """Return the fight replayed with the current conditions, meters and players' side of its campaign.

    Raises FileProblem if its files do not fit them: the fight has used a meter that is gone.
    """
    before = session.encounter
    if campaign.ruleset.sheet is before.game.sheet and campaign.table.players == before.players:
        return evolve(before, game=campaign.ruleset)
    try:
        opening = opening_of(campaign, encounter, opening_bytes(campaign, encounter))
        return apply_all(opening, session.log.events)
    except UNFIT as error:
        file = campaign.log_file(encounter)
        raise FileProblem(file, 0, "", f"the events do not fit campaign.toml: {error}") from None


def chosen_encounter(campaign: Campaign, named: str | None, *, skip_bad: bool = False) -> str:
    """Return the named encounter, else the current one, else the one played last.

    `skip_bad`: skip an unreadable prepared encounter instead of raising its FileProblem. Raises NoEncounter.
    """
    known = campaign.encounters
    if named is not None:
        if named not in known:
            says = f'there is no encounter "{clean(named)}"' + suggestion(named, known, "encounters")
            raise NoEncounter(says, suggestion=nearest(named, known))
        return named
    current = campaign.current
    first = next((encounter for encounter in known.values() if encounter.state == "prepared"), None)
    runs = current is not None and known[current].state == "running"
    if first and first.problem and not runs and not skip_bad:
        # Commands for this encounter must not reach another one.
        raise first.problem
    if current is not None:
        return current
    finished = [encounter.id for encounter in known.values() if encounter.problem is None]
    if not finished:
        raise NoEncounter(f"the campaign {campaign.name} has no encounter that can be opened")
    return _played_last(campaign, finished)


def played_encounter(campaign: Campaign) -> str | None:
    """Return the fight in progress, else the finished fight played last; None if none has been played."""
    if running := in_progress(campaign.encounters):
        return running
    current = campaign.current
    if current and not campaign.encounters[current].n and campaign.log_path(current).exists():
        # A log without a readable event may be a damaged fight in progress: opening it reports what is wrong.
        return current
    finished = [
        info.id for info in campaign.encounters.values() if info.state == "finished" and not info.problem
    ]
    return _played_last(campaign, finished) if finished else None


def _played_last(campaign: Campaign, encounters: Sequence[str]) -> str:
    return max(encounters, key=lambda id: (_written(campaign.log_path(id)), id))


def _written(log: Path) -> int:
    """Return when a log was last written, by the disk's clock: the times in a sample's events are older."""
    with suppress(OSError):
        return log.stat().st_mtime_ns
    return 0
