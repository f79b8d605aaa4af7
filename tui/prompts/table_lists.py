"""The contents of the command line and of the list of actions at the table."""

from collections.abc import Callable

from systems.commands.table import read_command
from systems.encounter.model import Combatant, Encounter
from systems.frozen import evolve
from systems.language.intents import Command
from tui.lists.action_answers import OfferOdds, action_rows, offers_of
from tui.lists.action_list import ActionList
from tui.lists.command_answers import command_help
from tui.lists.command_help import CommandHelp
from tui.lists.seat_words import read_seat_line, seat_help
from tui.prompts.prepare import prepare, take
from tui.services import SEATS, OpenPrompt, Services, Source, apart_from_fight

# The words of lines that only show something, with their help.
_SHOWS = {
    "danger": "how likely each character falls before its next turn, if all foes go for it",
    "forecast": "how likely the players win, by playing the fight many times",
}


class TableCommands:
    """Help for the command line. The newest help is cached."""

    does = "run"

    def __init__(self, services: Services) -> None:
        self.services = services
        self.changed: Callable[[], None] = lambda: None
        self._made: tuple[Encounter, str, int, CommandHelp] | None = None

    def show(self, line: str, at: int) -> CommandHelp:
        """Return the help for this line and cursor."""
        source = self.services.source
        assert source is not None
        made = self._made
        if made is None or made[0] is not source.encounter or made[1:3] != (line, at):
            made = self._made = (source.encounter, line, at, _help_for(source, line, at))
        return made[3]

    def is_known(self, line: str, at: int) -> bool:
        """Return whether the newest help is for this line; at the table it always is."""
        return True

    def read(self, line: str) -> Command | None:
        """Return the command of a line, None for a line that is no command of the fight. Raises Misread."""
        assert self.services.source is not None
        encounter = self.services.source.encounter
        match apart_from_fight(line):
            case "":
                return read_command(encounter, line)
            case "plan":
                read_command(encounter, line)
            case "seats":
                read_seat_line(line)
        return None


def _help_for(source: Source, line: str, at: int) -> CommandHelp:
    if apart_from_fight(line) == SEATS:
        return seat_help(line, line[:at])
    for word, does in _SHOWS.items():
        if line.strip().casefold() == word:
            return CommandHelp(f"{word}: {does}")
    help = command_help(source.encounter, source.roster, line, line[:at])
    begun = line[:at].strip().casefold()
    more = [(word, does) for word, does in _SHOWS.items() if begun and word.startswith(begun)]
    return evolve(help, words=(*help.words, *more)) if more else help


class TableActions:
    """The actions of one combatant, or of none. The list is worked out once."""

    def __init__(self, services: Services, actor: Combatant | None) -> None:
        self.services, self.actor = services, actor
        self.changed: Callable[[], None] = lambda: None
        self._odds = OfferOdds()
        self._list: ActionList | None = None

    def show(self) -> ActionList:
        """Return the list."""
        if self._list is None:
            source = self.services.source
            assert source is not None
            rows = action_rows(source, self.actor, self.services.action_key_names)
            offers = offers_of(source, lambda offer: self._odds.words(source, offer))
            self._list = ActionList(self.actor.name if self.actor else "", rows, offers)
        return self._list

    def is_known(self) -> bool:
        """Return whether the list is known; at the table it always is."""
        return True

    def choose(self, name: str, asked_by: OpenPrompt) -> None:
        """Ask for the targets and options of the action, or carry it out."""
        source = self.services.source
        if source is not None and (action := source.game.action(name)) is not None:
            prepare(self.services, action, actor=self.actor, asked_by=asked_by)

    def take(self, at: int, asked_by: OpenPrompt) -> None:
        """Take the offer at that index."""
        if (source := self.services.source) is not None:
            take(self.services, source.encounter.offers[at], asked_by)
