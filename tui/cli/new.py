"""`affray new NAME --system GAME`: create a campaign; at a terminal, prompt for anything omitted."""

import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import systems
from systems.errors import InputError, Wrong
from systems.language.readings import SheetLine
from systems.language.sheet_words import lines_of
from systems.text import clean, same_word, several, why_too_long
from tui.campaign.campaign import Campaign, loaded_game, new_campaign
from tui.campaign.folders import CampaignsFolder, check_name, where
from tui.campaign.roster import name_taken, new_entry, save_entry
from tui.cli.output import opening_command
from tui.controllers.choosing import game_begun, game_named, title_of
from tui.display.typed_lines import SheetLines, reading_lines

T = TypeVar("T")


def run(arguments: Namespace) -> int:
    place = where(arguments.campaigns)
    asks = is_at_terminal()
    given = {"NAME": arguments.name, "--system": arguments.system}
    missing = [word for word, value in given.items() if value is None]
    if missing and not asks:
        says = f"{' and '.join(missing)} must be given: prompts need a terminal (see affray --help)"
        print(f"affray: {says}", file=sys.stderr)
        return 2
    try:
        return _made(arguments, place, asks)
    except EOFError:
        print()
        return 1


def is_at_terminal() -> bool:
    """Return whether input and output are a terminal, so that prompts can be answered."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _made(arguments: Namespace, place: CampaignsFolder, asks: bool) -> int:
    """Create the campaign. Raises EOFError if the input ends at a prompt."""
    name, game = arguments.name, arguments.system
    if name is None:
        name = _answer("Name of the campaign (its folder gets the same name)?", check_name, place)
    ruleset = loaded_game(_game(game, asks))
    title = arguments.title
    if title is None and asks:
        title = input(f"Title (Enter for {clean(name)}): ").strip() or None
    lines = SheetLines(ruleset, ruleset.house())
    if why := why_too_long(title or ""):
        raise Wrong("", why)
    party = list(_given(arguments.party or "", lines))
    if arguments.party is None and asks:
        party = list(_asked_party(lines))
    campaign = _with_party(new_campaign(place, name, ruleset.name, title), party)
    opens = opening_command(campaign.name, arguments.campaigns)
    for line in reading_lines(party):
        print(clean(line, 300) if not line.startswith(" ") else f"   {clean(line, 300)}")
    there = f" with {several([line.name for line in party])}" if party else ""
    game = f"{clean(ruleset.title, 60)} ({clean(ruleset.name, 40)})"
    print(clean(f"created {campaign.path} for {game}{there}; open it with {opens}; R shows its roster", 900))
    return 0


def _answer(question: str, check: Callable[[str], str], place: CampaignsFolder) -> str:
    def free(name: str) -> str:
        if (place.path / check(name)).exists():
            raise Wrong("", f"a folder {clean(name, 60)} already exists")
        return name

    return _asked(question, free)


def _asked(question: str, read: Callable[[str], T]) -> T:
    """Repeat a question until the answer is valid. Raises EOFError."""
    print(question)
    while True:
        try:
            return read(input("> ").strip())
        except (InputError, systems.NoSuchGame) as error:
            print(f"! {clean(str(error), 300)}")


def _game(typed: str | None, asks: bool) -> str:
    """Return the game; at a terminal, prompt for it if it is missing or ambiguous.

    Raises Wrong and EOFError.
    """
    if typed is not None:
        try:
            return game_begun(typed)
        except Wrong as wrong:
            if not asks:
                raise
            print(f"! {clean(str(wrong), 300)}")
    return _asked("\n".join(_games()), game_named)


def _games() -> Iterator[str]:
    yield "Which game? Type its number or name."
    for at, game in enumerate(systems.names(), 1):
        yield f"  {at} {title_of(game)}"


def _given(text: str, lines: SheetLines) -> Iterator[SheetLine]:
    """Yield the characters of `--party`. Raises Wrong, also for a name used twice."""
    names: list[str] = []
    there = lines_of(text)
    for number, typed in enumerate(there, 1):
        try:
            line = lines.read(typed).checked()
        except Wrong as wrong:
            at = f"line {number}: " if len(there) > 1 else ""
            raise Wrong("", f"{at}{wrong}", code=wrong.code) from None
        _check_free(line.name, names)
        names.append(line.name)
        yield line


def _check_free(name: str, names: Iterable[str]) -> None:
    """Raise Wrong if another character of the party has that name."""
    if any(same_word(name, other) for other in names):
        raise name_taken(name)


def _asked_party(lines: SheetLines) -> Iterator[SheetLine]:
    """Prompt for the party, one line per character, until a line is empty."""
    print(f"Who plays? Type one character per line, such as {lines.example}. An empty line ends the list.")
    names: list[str] = []
    while typed := input("> ").strip():
        try:
            found = list(_given(typed, lines))
            for line in found:
                _check_free(line.name, names)
            names += [line.name for line in found]
            yield from found
        except Wrong as wrong:
            print(f"! {clean(str(wrong), 300)}")


def _with_party(campaign: Campaign, party: list[SheetLine]) -> Campaign:
    """Save the players' characters; return the campaign with them."""
    for line in party:
        side = line.side or campaign.table.players
        entry = new_entry(campaign, line.name, side, line.fields, line.party)
        campaign = save_entry(campaign, entry)
    return campaign
