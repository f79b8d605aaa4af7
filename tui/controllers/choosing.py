"""Open and create campaigns, and prepare encounters, for the screen of campaigns."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import systems
from systems.commands.dispatcher import perform
from systems.commands.membership import fallen_members, fallen_words, members_left_out, words_left_out
from systems.commands.table import parse
from systems.contract.table import Suggested
from systems.dice.scripted import ScriptedDice
from systems.dice.sources import NeedsFace
from systems.encounter.changes import apply
from systems.encounter.events import Event
from systems.encounter.history import History
from systems.encounter.lookup import meant_addition, roster_entries
from systems.encounter.model import Encounter, new_encounter
from systems.encounter.serialize import plain
from systems.errors import Misread, Refused, Wrong, unknown
from systems.frozen import frozen
from systems.language.intents import Add
from systems.text import clean, find_word, listed, matches, same_word, starting_with
from tui.campaign.campaign import Campaign, RosterEntry
from tui.campaign.encounters import EncounterInfo, encounters_of
from tui.campaign.folders import CampaignsFolder, NoCampaign
from tui.campaign.listing import ListedCampaign, find_to_play
from tui.campaign.problems import FileProblem, NotSaved
from tui.campaign.progress import Tell, silent
from tui.campaign.samples import names, template
from tui.session.opening import open_fight

if TYPE_CHECKING:
    from tui.session.opening import OpenEncounter

CANNOT_OPEN = (FileProblem, NotSaved, NoCampaign, systems.NoSuchGame)


def folder_of(place: CampaignsFolder, entry: ListedCampaign) -> Path | None:
    """Return the folder of a campaign, or the template of a sample that was not opened yet."""
    if not entry.sample:
        return place.path / entry.name
    try:
        return template(entry.name)
    except NotSaved:
        return None


def encounters_in(folder: Path | None) -> list[EncounterInfo]:
    """Return the encounters of a campaign without opening it."""
    return list(encounters_of(folder)[0].values()) if folder else []


def open_entry(
    place: CampaignsFolder,
    entry: ListedCampaign,
    encounter: str | None,
    before: "OpenEncounter | None",
    tell: Tell = silent,
) -> "OpenEncounter":
    """Open a campaign in place of `before`, which releases its lock first.

    Raises one of CANNOT_OPEN or NoEncounter, and any error of `tell`.
    """
    path = find_to_play(place, entry.name)
    if before is not None:
        before.close()
    return open_fight(path, encounter, or_watch=True, tell=tell)


def sample_of(entry: ListedCampaign | None) -> str:
    """Return the name of the sample that a campaign was copied from, or "" for others and templates."""
    return entry.name if entry is not None and not entry.sample and entry.name in names() else ""


@frozen
class PreparedOpening:
    """The opening of an encounter, and a clause about the dead that a party leaves out, or ""."""

    document: Mapping[str, object]
    left_out: str


def _empty_encounter(campaign: Campaign, title: str = "") -> Encounter:
    return new_encounter(
        campaign.ruleset, campaign.house, campaign.order, clean(title, 200), campaign.table.players
    )


def dead_characters(campaign: Campaign) -> Mapping[str, str]:
    """Return the roster ids of the players' characters that get no turns, each with its status."""
    players = [id for id, entry in campaign.joinable.items() if entry.side == campaign.table.players]
    return fallen_members(_empty_encounter(campaign), campaign.joinable, players)


def named_dead(campaign: Campaign, dead: Mapping[str, str]) -> str:
    """Return these characters by name, grouped by status: `Dirk is dead`."""
    return fallen_words({campaign.joinable[kind].name: word for kind, word in dead.items()})


def opening_with(campaign: Campaign, title: str, people: str) -> PreparedOpening:
    """Return the opening of an encounter for a typed list such as `okado, guard x4, wolf in round 3`.

    Raises Wrong with one sentence that names the entry.
    """
    found, roster = _empty_encounter(campaign, title), campaign.joinable
    dead: dict[str, str] = {}
    for entry in people.split(","):
        if not entry.strip():
            continue
        try:
            command = parse(f"add {entry.strip()}", campaign.ruleset)
            if isinstance(command.intent, Add):
                dead |= members_left_out(found, roster, command.intent)
            done: Event = perform(found, History(), roster, command, ScriptedDice([]), Suggested())
        except (Misread, Refused, Wrong) as error:
            # The sentence already contains an unknown name.
            about = "" if error.code == "unknown_name" else clean(entry.strip(), 40)
            raise Wrong(about, str(error), code=error.code) from None
        except NeedsFace:
            raise Wrong(clean(entry.strip(), 40), "cannot be prepared: it rolls dice") from None
        found = apply(found, done)
    joined = {combatant.state.kind for combatant in found}
    absent = {kind: word for kind, word in dead.items() if kind not in joined}
    return PreparedOpening(
        plain(found), words_left_out({roster[kind].name: word for kind, word in absent.items()})
    )


def typed_for(campaign: Campaign, entry: RosterEntry) -> str:
    """Return the text that names a roster entry in a prepared encounter: its name if that is enough."""
    players, typed = campaign.table.players, f"add {entry.name}"
    with suppress(Misread, Refused):
        match parse(typed, campaign.ruleset).intent:
            case Add() as intent if "," not in typed:
                kind = meant_addition(campaign.roster, intent, players).kind
                if roster_entries(campaign.roster, kind, players) == (entry.id,):
                    return entry.name
    return entry.id


def title_of(game: str) -> str:
    """Return the title of a game, or its name if it can't be loaded. Loads the game."""
    try:
        return clean(systems.load(game).title, 60)
    except systems.NoSuchGame:
        return clean(game, 60)


def game_named(word: str) -> str:
    """Return the game for a number of the list, or for the beginning of a name or title. Raises Wrong."""
    names = systems.names()
    if word.isdecimal() and 1 <= int(word[:4]) <= len(names):
        return names[int(word) - 1]
    return game_begun(word)


def game_meant(word: str) -> str:
    """Return the game for a word that is being typed, or "" if it names none or several."""
    try:
        return game_named(word)
    except Wrong:
        return ""


def game_begun(word: str) -> str:
    """Return the game for a name, a title, another name of the game, or the beginning of one. Raises Wrong.

    The beginning of another name counts only if nothing else fits.
    """
    names = systems.names()
    if whole := find_word(word, names):
        # No game is loaded for its title.
        return whole
    begun = matches(word, names, {name: title_of(name) for name in names})
    spoken = word.replace("&", "n")
    called = [name for name in names if any(same_word(spoken, other) for other in other_names(name))]
    found = [name for name in names if name in begun or name in called]
    found = found or [name for name in names if starting_with(spoken, other_names(name))]
    if len(found) > 1:
        known = listed((f"{title_of(name)} ({clean(name, 40)})" for name in found), "or")
        raise Wrong("", f"{clean(word, 40)} could be {known}", code="ambiguous")
    if not found:
        says = f"there is no game {clean(word, 40) or 'without a name'}"
        raise unknown("", says, word, names, kind="games")
    return found[0]


def other_names(game: str) -> tuple[str, ...]:
    """Return the other names of a game, or none if it can't be loaded."""
    try:
        return systems.load(game).also_called
    except systems.NoSuchGame:
        return ()
