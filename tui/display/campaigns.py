"""The rows of the campaigns screen: campaigns, then the samples, and the encounters of a campaign."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime

from systems.frozen import frozen
from systems.text import clean, listed, sort_key
from tui.campaign.encounters import EncounterInfo
from tui.campaign.listing import ListedCampaign
from tui.campaign.summary import EncounterSummary
from tui.display.text import Piece, Row, cut, fitted, wrapped

# From `ROOMY` cells on, a column shows when a campaign was last played.
ROOMY, GAME, LEAST_TITLE, WHEN = 60, 26, 24, 12
STATE, EVENTS = 10, 16
_BEHIND = re.compile(r"(?<=.) h?[0-9]+$")  # the number that distinguishes two of a kind
STATE_TONES = {"running": "accent", "prepared": "", "finished": "muted"}


@frozen
class ListedGames:
    """The installed games, and the titles of those already loaded, by name."""

    names: tuple[str, ...] = ()
    titles: Mapping[str, str] = {}

    def title_of(self, name: str) -> str:
        """Return the title of a game, or its name in plain words if it is not loaded yet."""
        return self.titles.get(name, name.replace("_", " "))


def with_heading(campaigns: Sequence[ListedCampaign]) -> list[str | ListedCampaign]:
    """Return the campaigns in order: the user's own, then the samples under a heading."""
    own = [campaign for campaign in campaigns if not campaign.sample]
    samples = [campaign for campaign in campaigns if campaign.sample]
    return [*own, "Samples, ready to play", *samples] if samples else [*own]


def shared_titles(campaigns: Sequence[ListedCampaign]) -> frozenset[str]:
    """Return the titles that several campaigns share, so that only their folders distinguish them."""
    counts = Counter(campaign.title for campaign in campaigns)
    return frozenset(title for title, count in counts.items() if count > 1)


def campaign_problem(campaign: ListedCampaign, games: ListedGames) -> str:
    """Return why a campaign cannot be opened, as far as the list knows, or ""."""
    if campaign.problem is not None:
        return str(campaign.problem)
    if campaign.system in games.names:
        return ""
    return (
        f"no game is called {campaign.system}" if campaign.system else "campaign.toml does not name its game"
    )


def campaign_row(
    campaign: ListedCampaign, games: ListedGames, shared: frozenset[str], is_open: bool, cells: int
) -> Row:
    """Return the row of a campaign: title, game, when it was last played, or its problem.

    `shared`: titles that several campaigns have.
    """
    mark = " ▸ " if is_open else "   "
    if problem := campaign_problem(campaign, games):
        name = fitted(clean(campaign.name, 60), min(24, cells // 3))
        return [(mark, "accent"), (name, ""), *_problem(problem)]
    roomy = cells >= ROOMY
    wide = min(GAME, max(cells // 4, cells - LEAST_TITLE - 6))
    title = f"{campaign.name} · {campaign.title}" if campaign.title in shared else campaign.title
    room = max(8, cells - 6 - wide - (WHEN + 2 if roomy else 0))
    row: list[Piece] = [
        (mark, "accent strong"),
        (fitted(clean(title, 120), room), ""),
        # Blank until the game is loaded: its id would be replaced a moment later.
        (f"  {fitted(games.titles.get(campaign.system, ''), wide)}", "muted"),
    ]
    if roomy:
        when = "sample" if campaign.sample else when_played(campaign.modified)
        row.append((f"  {fitted(when, WHEN)}", "muted"))
    return row


def encounters_in_order(encounters: Sequence[EncounterInfo]) -> list[EncounterInfo]:
    """Return encounters in order: in progress, then prepared, then finished."""
    states = list(STATE_TONES)
    return sorted(
        encounters, key=lambda encounter: (states.index(encounter.state), sort_key(encounter.title))
    )


def encounter_row(encounter: EncounterInfo, is_open: bool, cells: int) -> Row:
    """Return the row of an encounter: title, state and number of events, or its problem."""
    mark = " ▸ " if is_open else "   "
    if encounter.problem is not None:
        return [(mark, "accent"), (clean(encounter.id, 40), ""), *_problem(str(encounter.problem))]
    count = encounter.n
    room = max(8, cells - STATE - EVENTS - 2)
    return [
        (mark, "accent strong"),
        (fitted(cut(clean(encounter.title, 120), room), room), ""),
        (f"  {fitted(encounter.state, STATE)}", STATE_TONES[encounter.state]),
        (f"{count} event{'' if count == 1 else 's'}" if count else "", "muted"),
    ]


def summary_rows(info: EncounterInfo, summary: EncounterSummary, cells: int, height: int) -> list[Row]:
    """Return an encounter's combatants, its round, and its last log line, in at most `height` rows."""
    state = f"{info.state}, round {summary.round}" if summary.round else info.state
    title = f"{clean(info.title, 120)}, {state}"
    names = listed(_counted(summary.names)) or "nobody yet"
    who, *more = wrapped(f"{title}: {names}", max(20, cells - 2))
    rows: list[Row] = [[(f" {who[: len(title)]}", "strong"), (who[len(title) :], "")]]
    rows += [[(f" {line}", "")] for line in more]
    if summary.last:
        rows += [[(f" {line}", "muted")] for line in wrapped(f"Last: {summary.last}", max(20, cells - 3))]
    if len(rows) > height > 0:
        rows = [*rows[: height - 1], [*rows[height - 1], (" …", "muted")]]
    return rows[:height]


def _counted(names: Sequence[str]) -> list[str]:
    """Return the names, with copies that differ only in their number as one: `Guard ×2`."""
    kinds = [_BEHIND.sub("", name) for name in names]
    counts = Counter(kinds)
    shown = (
        f"{kind} ×{counts[kind]}" if counts[kind] > 1 else name
        for name, kind in zip(names, kinds, strict=True)
    )
    return list(dict.fromkeys(shown))


def when_played(modified: float) -> str:
    """Return `today 20:14`, or the day, for a time in seconds since 1970; "" for 0."""
    if not modified:
        return ""
    then = datetime.fromtimestamp(modified).astimezone()
    if then.date() == datetime.now().astimezone().date():
        return f"today {then:%H:%M}"
    return f"{then.day} {then:%b %Y}"


def _problem(sentence: str) -> list[Piece]:
    return [("  ! ", "danger strong"), (sentence, "danger")]
