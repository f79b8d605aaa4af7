"""The rows of the two lists on the campaigns screen: campaigns with the samples below, and encounters."""

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

# From `ROOMY` cells on there is a column for when a campaign was played last.
ROOMY, GAME, LEAST_TITLE, WHEN = 60, 26, 24, 12
STATE, EVENTS = 10, 16
_BEHIND = re.compile(r"(?<=.) h?[0-9]+$")  # the number that tells two of a kind apart
STATE_TONES = {"running": "accent", "prepared": "", "finished": "muted"}


@frozen
class ListedGames:
    """The games that are installed, and the titles of those that were loaded, by name."""

    names: tuple[str, ...] = ()
    titles: Mapping[str, str] = {}

    def title_of(self, name: str) -> str:
        """Return the title of a game; its name in plain words where it is not loaded yet."""
        return self.titles.get(name, name.replace("_", " "))


def with_heading(campaigns: Sequence[ListedCampaign]) -> list[str | ListedCampaign]:
    """Return the campaigns in order: the user's own, then the samples under a heading."""
    own = [campaign for campaign in campaigns if not campaign.sample]
    samples = [campaign for campaign in campaigns if campaign.sample]
    return [*own, "Samples, ready to play", *samples] if samples else [*own]


def shared_titles(campaigns: Sequence[ListedCampaign]) -> frozenset[str]:
    """Return the titles that several campaigns have: only their folders tell these apart."""
    counts = Counter(campaign.title for campaign in campaigns)
    return frozenset(title for title, count in counts.items() if count > 1)


def campaign_problem(campaign: ListedCampaign, games: ListedGames) -> str:
    """Return why a campaign cannot be opened, as far as the list knows; "" where nothing is wrong."""
    if campaign.problem is not None:
        return str(campaign.problem)
    if campaign.system in games.names:
        return ""
    return (
        f"no game is called {campaign.system}" if campaign.system else "it does not say which game it plays"
    )


def campaign_row(
    campaign: ListedCampaign, games: ListedGames, shared: frozenset[str], is_open: bool, cells: int
) -> Row:
    """Return one campaign: title, game, when it was last played, or what is wrong with it.

    `shared`: titles that do not tell one campaign from another.
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
        (f"  {fitted(games.title_of(campaign.system), wide)}", "muted"),
    ]
    if roomy:
        when = "sample" if campaign.sample else when_played(campaign.modified)
        row.append((f"  {fitted(when, WHEN)}", "muted"))
    return row


def encounters_in_order(encounters: Sequence[EncounterInfo]) -> list[EncounterInfo]:
    """Return encounters in order: running ones first, then those prepared, then those finished."""
    states = list(STATE_TONES)
    return sorted(
        encounters, key=lambda encounter: (states.index(encounter.state), sort_key(encounter.title))
    )


def encounter_row(encounter: EncounterInfo, is_open: bool, cells: int) -> Row:
    """Return one encounter: title, state and number of events, or what is wrong with it."""
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
    """Return who is in an encounter, its round, and the last line of its log, in at most `height` rows."""
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
    """The names, several that differ only in the number behind as one: `Guard ×2`."""
    kinds = [_BEHIND.sub("", name) for name in names]
    counts = Counter(kinds)
    shown = (
        f"{kind} ×{counts[kind]}" if counts[kind] > 1 else name
        for name, kind in zip(names, kinds, strict=True)
    )
    return list(dict.fromkeys(shown))


def when_played(modified: float) -> str:
    """Return `today 20:14`, or the day: of a time in seconds since 1970, "" for 0."""
    if not modified:
        return ""
    then = datetime.fromtimestamp(modified).astimezone()
    if then.date() == datetime.now().astimezone().date():
        return f"today {then:%H:%M}"
    return f"{then.day} {then:%b %Y}"


def _problem(sentence: str) -> list[Piece]:
    return [("  ! ", "danger strong"), (sentence, "danger")]
