"""Edit a campaign's files as the roster screen does, one acknowledged step after another."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

from systems.frozen import evolve
from systems.schema.conversion import replace
from tui.campaign import openings, roster
from tui.campaign.campaign import Campaign, load
from tui.campaign.lock import take
from tui.campaign.problems import FileProblem, NotSaved


def _rename(campaign: Campaign) -> Campaign:
    guard = campaign.roster["guard"]
    return roster.save_entry(campaign, evolve(guard, sheet=replace(guard.sheet, name="Sentry")))


def _add(campaign: Campaign) -> Campaign:
    return roster.save_entry(campaign, roster.new_entry(campaign, "Wolf"))


def _duplicate(campaign: Campaign) -> Campaign:
    return roster.duplicate(campaign, "guard", "Gate guard")[0]


def _delete(campaign: Campaign) -> Campaign:
    return roster.delete(campaign, "guard")


def _undelete(campaign: Campaign) -> Campaign:
    return roster.undelete(campaign, "guard")


def _settings(campaign: Campaign) -> Campaign:
    return roster.save_settings(campaign, title="The quay", table=replace(campaign.table, dice="program"))


def _encounter(campaign: Campaign) -> Campaign:
    return openings.new_encounter(campaign, "Second fight")[0]


STEPS: dict[str, Callable[[Campaign], Campaign]] = {
    "rename": _rename,
    "add": _add,
    "duplicate": _duplicate,
    "delete": _delete,
    "undelete": _undelete,
    "settings": _settings,
    "encounter": _encounter,
}
# The file that each step changes.
FILES = {
    "rename": "roster/guard.toml",
    "add": "roster/wolf.toml",
    "duplicate": "roster/gate-guard.toml",
    "delete": "roster/guard.toml",
    "undelete": "roster/guard.toml",
    "settings": "campaign.toml",
    "opening": "encounters/gate/opening.toml",
    "encounter": "encounters/second-fight/opening.toml",
}


def run(verb: str, words: list[str]) -> int:
    """Run `@edits FOLDER`: every step in order until one fails, with a line of JSON for each."""
    assert verb == "@edits"
    folder = Path(words[0])
    try:
        with take(folder):
            campaign = load(folder)
            for name, step in STEPS.items():
                answer = {"step": name, "ok": True, "error": ""}
                try:
                    campaign = step(campaign)
                except (NotSaved, KeyError) as error:
                    answer |= {"ok": False, "error": f"{type(error).__name__}: {error}"}
                print(json.dumps(answer), flush=True)
                if not answer["ok"]:
                    return 1
    except (NotSaved, FileProblem) as error:
        print(f"affray: {error}", file=sys.stderr)
        return 1
    return 0
