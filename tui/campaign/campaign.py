"""A campaign: a folder with a game, its house rules, a roster, and encounters."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import systems
from systems.contract.ruleset import FOES, PLAYERS, OrderStyle, Ruleset
from systems.encounter.roster import Roster, Shipped
from systems.errors import Wrong, unknown
from systems.frozen import field, frozen
from systems.schema.conversion import read
from systems.schema.fields import choice, declare, text, whole
from systems.sheets import present_fields, read_sheet
from systems.text import clean, shown
from systems.visibility.viewer import Shown
from tui.campaign import encounters
from tui.campaign.encounters import ID, NOT_AN_ID, EncounterInfo, names_in, pointed
from tui.campaign.entries import RosterEntry as RosterEntry
from tui.campaign.folders import CAMPAIGN, CampaignsFolder, check_name, make_folder, make_whole
from tui.campaign.problems import FileProblem, NotSaved, disk_words
from tui.campaign.samples import check_is_no_template
from tui.campaign.toml.files import parse_toml, read_bytes, write_atomic

ROSTER = "roster"
TAGS = "tags"  # of a shipped creature's file, which a person may copy into the roster
# Only a campaign that declares some of these imports systems.encounter.campaign_rules.
CAMPAIGN_RULES = ("condition", "meter")
KEYS = ("format", "title", "system", "notes", "house", "table", "seats", *CAMPAIGN_RULES)
PLAN = "plan"  # plays the creatures by itself
_ORDERS = ("initiative", "sides", "manual")


@declare
class Settings:
    """The settings of this table: `[table]` in campaign.toml."""

    dice: str = choice(
        ("program", "real", "players"),
        "program",
        "who rolls: the program, everyone by hand, or the players by hand and the program for the rest",
    )
    order: OrderStyle | None = choice(_ORDERS, None, "the turn order", when_absent="the game's own")
    players: str = text(PLAYERS, "the side that the players are on")
    foes: str = choice(
        ("hand", PLAN), "hand", "who plays the creatures: you, or a plan in each of their turns"
    )


@declare
class SeatSettings(Shown):
    """The settings of seats and server: `[seats]` in campaign.toml."""

    listen: str | None = text(None, "the address that the server listens on", when_absent="every address")
    port: int = whole(1, 65_535, 2222, "the port that the server listens on")
    address: str | None = text(
        None, "the host name or address in invitations", when_absent="that of this machine"
    )


@frozen
class Campaign:
    """A campaign, read from its folder.

    `problems`: the files that cannot be read; everything else is loaded. `name`: the name of the folder.
    `source`: the bytes of campaign.toml when it was read.
    """

    path: Path
    name: str
    title: str
    ruleset: Ruleset
    house: Any
    table: Settings
    seats: SeatSettings
    roster: Mapping[str, RosterEntry]
    encounters: Mapping[str, EncounterInfo]
    problems: tuple[FileProblem, ...] = ()
    notes: str = ""
    source: bytes = field(default=b"", eq=False)

    @property
    def system(self) -> str:
        """Return the game's name."""
        return self.ruleset.name

    @property
    def order(self) -> OrderStyle:
        """Return the turn order style: the table's, else the game's."""
        return self.table.order or self.ruleset.order(self.house)

    @property
    def roster_problems(self) -> list[FileProblem]:
        """Return the problems of roster files that cannot be read."""
        return [problem for problem in self.problems if problem.file.startswith(f"{ROSTER}/")]

    @property
    def joinable(self) -> Roster:
        """Return the roster for a fight: readable entries, unreadable ones, and the game's creatures."""
        unreadable = {Path(problem.file).stem: str(problem) for problem in self.roster_problems}
        return Roster(self.roster, unreadable, self._shipped)

    def _shipped(self) -> Mapping[str, Shipped]:
        # Imported only when a name is looked up outside the campaign's own roster.
        from tui.campaign.creatures import shipped

        return shipped(self.ruleset)

    @property
    def current(self) -> str | None:
        """Return the id of the encounter in progress, else of the first prepared one, else None."""
        return encounters.current(self.encounters)

    def log_path(self, encounter: str) -> Path:
        """Return the path of an encounter's log. The file exists once something has happened."""
        return encounters.folder_of(self.path, encounter) / encounters.LOG

    def log_file(self, encounter: str) -> str:
        """Return the name of that file for errors."""
        return encounters.file_of(encounter, encounters.LOG)


def roster_file(id: str) -> str:
    """Return the path of a roster entry's file in its campaign's folder, which errors name too."""
    return f"{ROSTER}/{id}.toml"


def load(path: Path) -> Campaign:
    """Return the campaign in a folder. Bad files are listed in `problems`; the rest is loaded.

    Raises FileProblem if campaign.toml itself is bad.
    """
    data = read_bytes(path / CAMPAIGN, CAMPAIGN)
    tables = parse_toml(data, CAMPAIGN)
    ruleset, house, table, seats = _read_head(tables, data)
    roster, problems = read_roster(path, ruleset)
    found, more = encounters.encounters_of(path)
    name = path.resolve().name
    return Campaign(
        path=path,
        name=name,
        title=clean(tables.get("title", ""), 200) or clean(name, 200),
        ruleset=ruleset,
        house=house,
        table=table,
        seats=seats,
        roster=roster,
        encounters=found,
        problems=tuple(problems + more),
        notes=tables.get("notes", ""),
        source=data,
    )


def wrong_keys(tables: Mapping[str, Any]) -> Iterator[Wrong]:
    """Yield an error for each unknown key of campaign.toml, and for a title or notes that are not text."""
    for name in tables:
        if name not in KEYS:
            yield unknown(name, "unknown field", name, KEYS, "unknown_field")
    for name in ("title", "notes"):
        if not isinstance(tables.get(name, ""), str):
            yield Wrong(name, f"expected a text, got {shown(tables[name])}")


def rules_of(source: bytes) -> tuple[Ruleset, Any, Settings]:
    """Return the game, its house rules and the table's settings from a campaign.toml. Raises FileProblem."""
    return _read_head(parse_toml(source, CAMPAIGN), source)[:3]


def _read_head(tables: Mapping[str, Any], data: bytes) -> tuple[Ruleset, Any, Settings, SeatSettings]:
    """Return the game, its house rules and the settings of campaign.toml. Raises FileProblem."""
    with pointed(CAMPAIGN, data):
        for wrong in wrong_keys(tables):
            raise wrong
        ruleset = _game(tables.get("system"))
        if any(name in tables for name in CAMPAIGN_RULES):
            from systems.encounter.campaign_rules import with_campaign_rules

            ruleset = with_campaign_rules(ruleset, tables)
        house = read(ruleset.house, tables.get("house", {}), "house")
        table = read(Settings, tables.get("table", {}), "table")
        return ruleset, house, table, read(SeatSettings, tables.get("seats", {}), "seats")


def _game(name: object) -> Ruleset:
    if not isinstance(name, str) or not name:
        raise Wrong("system", f"expected the name of a game: {', '.join(systems.names())}")
    try:
        return loaded_game(name)
    except systems.NoSuchGame as error:
        raise Wrong("system", str(error)) from None


def loaded_game(name: str) -> Ruleset:
    """Return the game of this name, with its tables ready to be read. Raises systems.NoSuchGame."""
    game = systems.load(name)
    if game.tables:
        from tui.campaign.tables import supply

        supply(game)
    return game


def read_roster(path: Path, ruleset: Ruleset) -> tuple[dict[str, RosterEntry], list[FileProblem]]:
    """Return a campaign's roster by id, in order, and the problems of unreadable files."""
    found: dict[str, RosterEntry] = {}
    problems: list[FileProblem] = []
    for file in names_in(path / ROSTER):
        if not file.endswith(".toml"):
            continue
        try:
            entry = read_entry(path, file.removesuffix(".toml"), ruleset)
            found[entry.id] = entry
        except FileProblem as problem:
            problems.append(problem)
    return found, problems


def read_entry(path: Path, id: str, ruleset: Ruleset) -> RosterEntry:
    """Return one entry of the roster. Raises FileProblem with line and field."""
    file = roster_file(id)
    if not ID.fullmatch(id):
        raise FileProblem(file, 0, "", NOT_AN_ID, code="not_an_id")
    data = read_bytes(path / roster_file(id), file)
    return entry_of(id, data, ruleset, file)


def entry_of(id: str, data: bytes, ruleset: Ruleset, file: str) -> RosterEntry:
    """Return a roster entry from the bytes of its file. Raises FileProblem with line and field."""
    tables = parse_toml(data, file)
    del tables["format"]
    with pointed(file, data):
        side, party = tables.pop("side", FOES), tables.pop("party", "")
        tables.pop(TAGS, None)
        if not isinstance(side, str) or not side:
            raise Wrong("side", f"expected a text such as {PLAYERS} or {FOES}, got {shown(side)}")
        if not isinstance(party, str):
            raise Wrong("party", f"expected a text such as The Lanterns, got {shown(party)}")
        sheet = read_sheet(ruleset, present_fields(ruleset, tables), "")
    return RosterEntry(id, side, sheet, party, data)


def new_campaign(place: CampaignsFolder, name: str, system: str, title: str | None = None) -> Campaign:
    """Create a campaign with an empty roster and one empty encounter.

    Never writes into an existing folder. Raises NoCampaign for an impossible name, systems.NoSuchGame, and
    NotSaved.
    """
    ruleset = loaded_game(system)
    folder = place.path / check_name(name)
    head = {"title": clean(title or name, 200), "system": ruleset.name}
    check_is_no_template(place.path)
    make_folder(place.path)
    if os.path.lexists(folder):
        raise NotSaved(f"a folder {clean(name)} already exists")

    def fill(new: Path) -> None:
        (new / ROSTER).mkdir()
        encounters.write_new(new, "first", {"title": "First encounter", **encounters.EMPTY})
        write_atomic(new / CAMPAIGN, encounters.file_bytes(head))

    try:
        make_whole(folder, fill)
    except NotSaved as error:
        raise NotSaved(f"the campaign was not created: {error}") from None
    except OSError as error:
        raise NotSaved(f"the campaign was not created: {disk_words(error)}") from None
    return load(folder)
