"""The table of all commands, in the order in which help lists them; reading lines, and titles of events."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from systems.commands.action import GAME_ACTION
from systems.commands.add import ADD
from systems.commands.amend import AMEND
from systems.commands.amounts import DAMAGE, HEAL
from systems.commands.clear import CLEAR
from systems.commands.condition import CONDITION
from systems.commands.count import COUNT
from systems.commands.declaration import CommandKind, Commands, Described
from systems.commands.delay import DELAY, RETURN
from systems.commands.end import END
from systems.commands.groups import GROUP, UNGROUP
from systems.commands.hide import HIDE, REVEAL
from systems.commands.keep import KEEP
from systems.commands.near import APART, NEAR
from systems.commands.next import NEXT
from systems.commands.note import NOTE
from systems.commands.order import INITIATIVE, ORDER
from systems.commands.plan import PLAN
from systems.commands.readiness import READY
from systems.commands.refresh import REFRESH
from systems.commands.remove import FLEE, REMOVE
from systems.commands.roll import ROLL, RollDice
from systems.commands.say import SAY
from systems.commands.schedule import SCHEDULE, UNSCHEDULE
from systems.commands.set import SET
from systems.commands.share import SHARE
from systems.commands.start import START
from systems.commands.step_back import BACK
from systems.commands.undo import REDO, UNDO
from systems.contract.ruleset import Ruleset
from systems.encounter import completion
from systems.encounter.completion import Completion
from systems.encounter.events import Event, names_in
from systems.encounter.lookup import names_in_lines
from systems.encounter.loose_words import ActorOf, sorted_command
from systems.encounter.model import Encounter
from systems.encounter.roster import JoiningEntry
from systems.errors import Refused, Wrong
from systems.language import parser
from systems.language.intents import Amend, Command
from systems.text import clean, several

COMMANDS: Commands = {
    kind.name: kind
    for kind in (
        START,
        REFRESH,
        NEXT,
        PLAN,
        BACK,
        END,
        DELAY,
        RETURN,
        READY,
        SCHEDULE,
        UNSCHEDULE,
        ORDER,
        INITIATIVE,
        GROUP,
        UNGROUP,
        NEAR,
        APART,
        DAMAGE,
        HEAL,
        SET,
        COUNT,
        CONDITION,
        CLEAR,
        ADD,
        REMOVE,
        FLEE,
        HIDE,
        REVEAL,
        ROLL,
        NOTE,
        SAY,
        KEEP,
        SHARE,
        UNDO,
        REDO,
        AMEND,
    )
}


def kind_named(name: str) -> CommandKind | None:
    """Return the declaration with a name, also that of the game's actions; None for an unknown name."""
    return GAME_ACTION if name == GAME_ACTION.name else COMMANDS.get(name)


def kind_of(command: Command) -> CommandKind:
    """Return the declaration of a command, also that of an action of the game."""
    return GAME_ACTION if command.name == GAME_ACTION.name else COMMANDS[command.name]


def title_of(event: Event, names: Mapping[str, str], game: Ruleset | None = None) -> str:
    """Return a short title of an event that names its combatants.

    `names`: the names of combatants, by id. `game`: the source of action and condition labels. An event
    without data gets the line that was typed.
    """
    names = {**names_in(event), **names}
    kind = kind_named(event.command)
    doers = dict.fromkeys(result.actor for result in event.results)
    described = Described(
        event,
        _name(event.actor, names),
        _names(event.targets, names),
        _name(event.turn, names),
        _names(doers, names),
        game,
    )
    found = kind.title(described) if kind is not None else ""
    return found or clean(event.typed or event.command, 80) or "a command"


def _name(who: str, names: Mapping[str, str]) -> str:
    return names.get(who) or clean(who, 60)


def _names(ids: Iterable[str], names: Mapping[str, str]) -> str:
    """Return names as a list; a target that an action aimed at several times is counted: `Mage × 2`."""
    times = Counter(who for who in ids if who)
    return several([f"{_name(who, names)}{f' × {many}' if many > 1 else ''}" for who, many in times.items()])


def command_words(encounter: Encounter, command: Command) -> str:
    """Return words for a command at the table, with its actor: `attack on Guard 1 by Okado, coverage half`.

    The command may name combatants in any way, tags included. Returns "" for other or invalid commands.
    """
    if isinstance(command.intent, Amend):
        inner = command.intent.command
        words = command_words(encounter, inner) if inner is not None else ""
        return f"event {command.intent.number} as {words}" if words else ""
    try:
        return kind_of(command).table_words(encounter, command.intent)
    except (Refused, Wrong):
        return ""


def parse(line: str, game: Ruleset, names: Sequence[str] = ()) -> Command:
    """Parse a line; see `systems.language.parser.parse`."""
    return parser.parse(line, game, COMMANDS, names)


def parse_roll(line: str, names: Sequence[str] = ()) -> RollDice:
    """Parse `roll DICE [for WHO] [secret]`, which is the same in every game. Raises Misread."""
    intent = parser.parse_one(COMMANDS["roll"], line, names)
    assert isinstance(intent, RollDice)
    return intent


def read_command(encounter: Encounter, line: str, actor_of: ActorOf | None = None) -> Command:
    """Parse a line with the words of the encounter's game and the names of its combatants. Raises Misread.

    `actor_of`: see `systems.encounter.loose_words.sorted_command`.
    """
    parsed = parser.parse(line, encounter.game, COMMANDS, names_in_lines(encounter))
    return sorted_command(encounter, parsed, actor_of)


def completions(encounter: Encounter, roster: Mapping[str, JoiningEntry], line: str) -> Sequence[Completion]:
    """Return the completions of the last word of a line; see `systems.encounter.completion.completions`."""
    return completion.completions(encounter, roster, line, COMMANDS)
