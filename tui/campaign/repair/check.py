"""Find every problem of a campaign: in each file, and between files that refer to each other."""

from collections.abc import Callable, Iterator
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import Any

import systems
from systems.contract.ruleset import FOES, PLAYERS, OrderStyle, Ruleset
from systems.encounter.campaign_rules import campaign_rule_errors, with_campaign_rules
from systems.encounter.migration import migrated
from systems.encounter.model import ActiveCondition, CombatantState
from systems.encounter.serialize import read_combatant, read_encounter
from systems.errors import Wrong
from systems.schema.conversion import every_error, read
from systems.schema.entries import with_known_names
from systems.schema.fields import Entries, Record, fields_of
from systems.sheets import check_version, present_fields, read_sheet
from systems.text import shown
from tui.campaign import encounters
from tui.campaign.campaign import ROSTER, TAGS, SeatSettings, Settings, loaded_game, roster_file, wrong_keys
from tui.campaign.creatures import shipped
from tui.campaign.encounters import ID, NOT_AN_ID, names_in
from tui.campaign.folders import CAMPAIGN
from tui.campaign.formats import format_of_log
from tui.campaign.log.blocks import header_end, resume, scan
from tui.campaign.log.divergence import compare, copies_in, why_broken
from tui.campaign.log.file import read_log
from tui.campaign.log.misfit import misfit
from tui.campaign.log.parse import decode
from tui.campaign.problems import UNFIT, FileProblem
from tui.campaign.seats import SEATS, seat_wrongs
from tui.campaign.toml.files import parse_toml, read_bytes, text_of
from tui.campaign.toml.limits import LARGEST_LOG
from tui.campaign.toml.positions import line_at, lines_of

MOST = 50  # problems of one file


def check(path: Path) -> list[FileProblem]:
    """Return all problems of the campaign in a folder, file by file. Changes nothing and never raises."""
    return list(_Check(path).all())


class _Check:
    """One pass over a campaign; it keeps each file it has read for others that refer to it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.ruleset: Ruleset | None = None
        self.house: Any = None
        self.order: OrderStyle | None = None
        self.players = PLAYERS
        self.ids: set[str] = set()

    def all(self) -> Iterator[FileProblem]:
        yield from self._file(CAMPAIGN, self._head)
        for name in names_in(self.path / ROSTER):
            if name.endswith(".toml"):
                yield from self._entry(name.removesuffix(".toml"))
        for name in names_in(self.path / encounters.FOLDER):
            yield from self._encounter(name)
        if (self.path / SEATS).exists():
            yield from self._file(SEATS, lambda tables: seat_wrongs(tables, self.ids))
        yield from self._strays("", self.path, CAMPAIGN, SEATS)

    def _file(self, file: str, wrongs: Callable[[dict[str, Any]], Iterator[Wrong]]) -> Iterator[FileProblem]:
        """Yield a file's problems as TOML, or else what `wrongs` finds in its tables."""
        try:
            data = read_bytes(self.path / file, file)
            tables = parse_toml(data, file)
        except FileProblem as problem:
            yield problem
            return
        del tables["format"]
        found = list(islice(wrongs(tables), MOST))
        fields = [wrong.field.lstrip(".") for wrong in found]
        lines = lines_of(text_of(data, file), fields) if found else []
        for wrong, line in sorted(zip(found, lines, strict=True), key=itemgetter(1)):
            yield FileProblem.of(file, line, wrong)

    def _head(self, tables: dict[str, Any]) -> Iterator[Wrong]:
        yield from wrong_keys(tables)
        table = tables.get("table", {})
        yield from every_wrong(Settings, lambda given: read(Settings, given, "table"), table, "table")
        seats = tables.get("seats", {})
        yield from every_wrong(SeatSettings, lambda given: read(SeatSettings, given, "seats"), seats, "seats")
        try:
            self.ruleset = loaded_game(str(tables["system"]))
        except KeyError:
            yield Wrong("system", f"expected the name of a game: {', '.join(systems.names())}")
        except systems.NoSuchGame as error:
            yield Wrong("system", str(error))
        else:
            wrongs = list(campaign_rule_errors(self.ruleset, tables))
            yield from wrongs
            if not wrongs:
                self.ruleset = with_campaign_rules(self.ruleset, tables)
            rules = self.ruleset.house
            self.house = rules()
            given = tables.get("house", {})
            yield from every_wrong(rules, lambda given: read(rules, given, "house"), given, "house")
            try:
                self.house = read(rules, tables.get("house", {}), "house")
                settings = read(Settings, table, "table")
                self.order, self.players = settings.order, settings.players
            except Wrong:
                return

    def _entry(self, id: str) -> Iterator[FileProblem]:
        file = roster_file(id)
        if not ID.fullmatch(id):
            yield FileProblem(file, 0, "", NOT_AN_ID, code="not_an_id")
            return
        self.ids.add(id)
        yield from self._file(file, self._sheet)

    def _sheet(self, tables: dict[str, Any]) -> Iterator[Wrong]:
        side = tables.pop("side", FOES)
        tables.pop(TAGS, None)
        if not isinstance(side, str) or not side:
            yield Wrong("side", f"expected a text, got {shown(side)}")
        if not isinstance(party := tables.pop("party", ""), str):
            yield Wrong("party", f"expected a text, got {shown(party)}")
        if ruleset := self.ruleset:
            try:
                fields = present_fields(ruleset, tables)
            except Wrong as wrong:
                yield wrong
                return
            given = without_status(ruleset, fields)
            found = list(every_wrong(ruleset.sheet, lambda given: read_sheet(ruleset, given, ""), given))
            yield from found
            if not found:
                yield from _unknown_names(read_sheet(ruleset, given, ""))
            if ruleset.effects and not found:
                own = (name.removesuffix(".toml") for name in names_in(self.path / ROSTER))
                yield from ruleset.effects.loose_names(
                    read_sheet(ruleset, given, ""), {*own, *shipped(ruleset)}
                )

    def _encounter(self, name: str) -> Iterator[FileProblem]:
        folder = encounters.folder_of(self.path, name)
        opening, log = folder / encounters.OPENING, folder / encounters.LOG
        if not (opening.exists() or log.exists()):
            return
        if not ID.fullmatch(name):
            yield FileProblem(f"{encounters.FOLDER}/{name}", 0, "", NOT_AN_ID, code="not_an_id")
            return
        found = list(self._file(encounters.file_of(name, encounters.OPENING), self._opening))
        yield from found
        yield from self._copies(name)
        if log.exists():
            problems = list(_log(log, encounters.file_of(name, encounters.LOG)))
            yield from problems
            if not (found or problems):
                yield from self._play(name)

    def _copies(self, name: str) -> Iterator[FileProblem]:
        """Yield other copies of an encounter's files, as left in its folder by a synchronisation."""
        folder = encounters.folder_of(self.path, name)
        log = folder / encounters.LOG
        for copy in copies_in(folder):
            file = encounters.file_of(name, copy)
            try:
                here = read_bytes(log, file, LARGEST_LOG) if log.exists() else b""
                found = compare(here, read_bytes(folder / copy, file, LARGEST_LOG))
                yield FileProblem(file, found.line, "", found.says)
            except FileProblem as problem:
                yield problem
        yield from self._strays(f"{encounters.FOLDER}/{name}/", folder, encounters.OPENING)

    def _strays(self, start: str, folder: Path, *known: str) -> Iterator[FileProblem]:
        """Yield files whose names are almost those of known files, and which are therefore not read."""
        for name in names_in(folder):
            for known_name in known:
                stem = known_name.removesuffix(".toml")
                if name != known_name and name.endswith(".toml") and name.casefold().startswith(stem):
                    says = f"is not read; use the name {known_name}"
                    yield FileProblem(f"{start}{name}", 0, "", says, code="not_read", suggestion=known_name)

    def _opening(self, tables: dict[str, Any]) -> Iterator[Wrong]:
        combatants = tables.get("combatant", [])
        some = (
            [table for table in combatants if isinstance(table, dict)] if isinstance(combatants, list) else []
        )
        self.ids |= {table["id"] for table in some if isinstance(table.get("id"), str)}
        if self.ruleset is None:
            return
        found: dict[str, Wrong] = {}
        for at, table in enumerate(some):
            for wrong in combatant_wrongs(self.ruleset, table, f"combatant[{at}]"):
                found.setdefault(wrong.field, wrong)
        if not found:
            try:
                read_encounter(self.ruleset, self.house, self.order, tables, self.players)
            except Wrong as wrong:
                found[wrong.field] = wrong
        yield from found.values()

    def _play(self, name: str) -> Iterator[FileProblem]:
        """Yield a problem if the log of a good encounter cannot be played from its opening."""
        if self.ruleset is None:
            return
        file = encounters.file_of(name, encounters.LOG)
        folder = encounters.folder_of(self.path, name)
        try:
            opening = parse_toml(
                (folder / encounters.OPENING).read_bytes(), encounters.file_of(name, encounters.OPENING)
            )
            events = read_log(folder / encounters.LOG).events
            check_version(self.ruleset, events[-1].game_version if events else 1)
            present = migrated(self.ruleset, opening, events)
            start = read_encounter(self.ruleset, self.house, self.order, opening, self.players)
        except Wrong as wrong:
            yield FileProblem(file, 0, wrong.field, wrong.message, code=wrong.code)
        except (OSError, FileProblem, *UNFIT):
            yield FileProblem(file, 0, "", "the events do not fit the game", code="misfit")
        else:
            if problem := misfit(folder / encounters.LOG, file, start, present):
                yield problem


def _unknown_names(sheet: Any) -> Iterator[Wrong]:
    """Yield an error for each entry that names something that the sheet does not have."""
    for name, field in fields_of(type(sheet)).items():
        for at, entry in enumerate(getattr(sheet, name) if isinstance(field.type, Entries) else ()):
            try:
                with_known_names(entry, lambda named: getattr(sheet, named), f"{name}[{at}]")
            except Wrong as wrong:
                yield wrong


def _log(path: Path, file: str) -> Iterator[FileProblem]:
    """Yield every block that is not whole or not in its place."""
    try:
        data = read_bytes(path, file, LARGEST_LOG)
        begin, mark, n = header_end(data, file), 0, 0
        for _ in range(MOST):
            blocks = scan(data, begin, mark)
            events = decode(data, blocks, file, number=format_of_log(data))
            for bounds, event in zip(blocks.bounds, events, strict=True):
                if event.n != n + 1:
                    line = line_at(data, bounds[0])
                    yield FileProblem(file, line, "n", f"expected {n + 1}, got {event.n}", code="log")
                n = event.n
            if blocks.broken < 0:
                return
            two = why_broken(data, blocks)
            at, why = two or (blocks.broken, blocks.why)
            yield FileProblem(file, line_at(data, at), "event", why, code="log")
            if blocks.torn or two:
                return
            begin, mark = resume(data, blocks)
            n += 1
    except FileProblem as problem:
        yield problem


# All errors in a table of declared fields.


def every_wrong(cls: type, reads: Callable[[Any], object], given: Any, path: str = "") -> Iterator[Wrong]:
    """Yield the errors of a table of a declared class: of each of its fields, and of the whole."""
    found: dict[str, Wrong] = {}
    for wrong in islice(every_error(Record(cls), given, path), MOST):
        found.setdefault(wrong.field, wrong)
    try:
        reads(given)
    except Wrong as wrong:
        found.setdefault(wrong.field, wrong)
    yield from found.values()


def combatant_wrongs(ruleset: Ruleset, given: dict[str, Any], path: str) -> Iterator[Wrong]:
    """Yield the errors of one combatant of an opening: the tracker's fields, its conditions, its sheet."""
    tracked = {name: content for name, content in given.items() if name not in ("id", "conditions", "sheet")}
    yield from every_error(Record(CombatantState), tracked, path)
    held = given.get("conditions", [])
    for at, active in enumerate(held if isinstance(held, list) else []):
        yield from every_error(Record(ActiveCondition), active, f"{path}.conditions[{at}]")
    if isinstance(sheet := given.get("sheet"), dict):
        yield from every_error(Record(ruleset.sheet), without_status(ruleset, sheet), f"{path}.sheet")
    yield from _wrong(read_combatant, ruleset, given, path)


def without_status(ruleset: Ruleset, sheet: dict[str, Any]) -> dict[str, Any]:
    """Return a sheet without what the game calculates itself, which is accepted and ignored."""
    if ruleset.stored_status or "status" not in sheet:
        return sheet
    return {name: content for name, content in sheet.items() if name != "status"}


def _wrong(reads: Callable[..., object], *given: Any) -> Iterator[Wrong]:
    try:
        reads(*given)
    except Wrong as wrong:
        yield wrong
