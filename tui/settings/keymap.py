"""The user's own keys, and the keys of a game's own actions.

The user's keys are in `keys.toml` in the settings folder, as `id = "key"` or `id = "key,other"`. A game
proposes letters for its actions. A key of the program, even one that the user has chosen, is never used for
an action, which can still be chosen from the list of all actions. The user's keys for actions take precedence
over the game's letters.
"""

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from textual.binding import Binding
from textual.keys import KEY_NAME_REPLACEMENTS, Keys, key_to_character

from systems.frozen import frozen
from systems.text import shown, suggestion
from tui.campaign.problems import disk_words
from tui.campaign.toml.files import syntax_problem
from tui.campaign.user_folders import settings_folder
from tui.settings.key_names import keys_in, shown_key, shown_keys_of
from tui.settings.keys import FIGHT, KEYS, Key, keys_of

if TYPE_CHECKING:
    from systems.contract.action import Action
    from systems.contract.ruleset import Ruleset

MODIFIERS = frozenset(("alt", "ctrl", "hyper", "meta", "shift", "super"))
# Keys that are not characters, without modifiers. Some names in Textual belong to no key.
NAMED_KEYS = frozenset(key.value for key in Keys if key.value.isalnum()) - {"return"}
# The keys that move the cursor in a fight, and the name of the file's table of action keys.
MOVING = ("up", "down", "left", "right", "j", "k", "pageup", "pagedown", "home", "end", "tab", "escape")
ACTIONS = "actions"
# Names of keys in files that were written for an earlier version.
EARLIER_NAMES: Mapping[str, str] = {"happening": "schedule"}
LONG_NAMES = {short: long for long, short in KEY_NAME_REPLACEMENTS.items()}


def keys_file() -> Path:
    """Return the path of the user's own keys."""
    return settings_folder() / "keys.toml"


def bindings_of(screen: str) -> list[Binding]:
    """Return the bindings of a screen class: the keys of the table that work on it."""
    return [
        Binding(key.key, key.action, key.label, show=False, tooltip=key.help, id=key.id)
        for key in keys_of(screen)
    ]


def file_version(file: Path) -> tuple[int, int, int]:
    """Return numbers that change when a file is written or replaced; zeros if there is none."""
    try:
        found = file.stat()
    except OSError:
        return (0, 0, 0)
    return (found.st_ino, found.st_mtime_ns, found.st_size)


@frozen
class OwnKeys:
    """The user's keys by id, and one sentence with file and line for each entry that is not used.

    `actions`: keys by name of action; those of other games than the current one do nothing.
    """

    keymap: Mapping[str, str] = {}
    problems: tuple[str, ...] = ()
    actions: Mapping[str, str] = {}


def own_keys(file: Path) -> OwnKeys:
    """Read the user's keys; none if there is no file. Never raises because of its content."""
    try:
        text = file.read_text("utf-8")
    except FileNotFoundError:
        return OwnKeys()
    except OSError as error:
        return OwnKeys(problems=(f"{file.name} cannot be read: {disk_words(error)}",))
    except UnicodeDecodeError:
        return OwnKeys(problems=(f"{file.name} is not used: it is not UTF-8",))
    try:
        given = tomllib.loads(text)
    except RecursionError:
        return OwnKeys(problems=(f"{file.name} is not used: it is nested too deeply",))
    except ValueError as error:
        return OwnKeys(problems=(f"{syntax_problem(error, text, file.name)}; the file is not used",))
    found, wrong = checked_keys(given)
    actions, wrong_actions = checked_action_keys(given.get(ACTIONS, {}), found)
    wrong |= wrong_actions
    if not wrong:
        return OwnKeys(found, actions=actions)
    from tui.campaign.toml.positions import line_of

    said = tuple(f"{file.name}:{line_of(text, name)}: {sentence}" for name, sentence in wrong.items())
    return OwnKeys(found, said, actions)


def checked_keys(given: Mapping[str, object]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the valid keys and the problems of the others, both by id."""
    known = {key.id: key for key in KEYS}
    keymap: dict[str, str] = {}
    wrong: dict[str, str] = {}
    for typed, keys in given.items():
        name = EARLIER_NAMES.get(typed, typed)
        if typed in ("format", ACTIONS):
            continue
        if name not in known:
            wrong[typed] = f"no key is called {shown(typed)}{suggestion(typed, known, 'keys')}"
        else:
            keymap[name], wrong[typed] = _checked(typed, keys)
    keymap, clashes = _without_clashes({name: keys for name, keys in keymap.items() if keys})
    return keymap, {**{name: says for name, says in wrong.items() if says}, **clashes}


def _checked(name: str, keys: object) -> tuple[str, str]:
    """Return the keys of one entry as a terminal sends them, or "" and the problem."""
    if not isinstance(keys, str) or not keys.strip(" ,"):
        return "", f'{name} expected a key such as "f5", got {shown(keys)}'
    if unknown := next((key for key in _split(keys) if not sent_key(key)), ""):
        return "", f'no terminal sends {shown(unknown)}; {name} expects a key such as "f5" or "ctrl+s"'
    return ",".join(sent_key(key) for key in _split(keys)), ""


def checked_action_keys(given: object, keymap: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the valid keys of games' actions by name, and the problems of the others by path.

    `keymap`: the user's keys for the program, which no action can have.
    """
    if not isinstance(given, Mapping):
        return {}, {ACTIONS: f"{ACTIONS} expected a table of actions and keys, got {shown(given)}"}
    taken = taken_keys(keymap)
    used: dict[str, str] = {}
    found: dict[str, str] = {}
    wrong: dict[str, str] = {}
    for name, value in given.items():
        keys, says = _checked(name, value)
        if says:
            wrong[f"{ACTIONS}.{name}"] = says
        elif key := next((key for key in keys_in(keys) if key in taken or key in used), ""):
            whose = taken.get(key) or used[key]
            wrong[f"{ACTIONS}.{name}"] = f"{name} can't use {shown_key(key)}, which {whose} uses"
        else:
            found[name] = keys
            used.update((key, str(name)) for key in keys_in(keys))
    return found, wrong


def taken_keys(keymap: Mapping[str, str]) -> dict[str, str]:
    """Return the program's keys in a fight, each with the id that uses it."""
    found: dict[str, str] = {}
    for key in KEYS:
        if set(key.screens) & set(FIGHT):
            found.update((name, key.id) for name in keys_in(keymap.get(key.id, key.key)))
    return {**found, **dict.fromkeys(MOVING, "the cursor")}


def _split(keys: str) -> list[str]:
    return [key.strip() for key in keys.split(",") if key.strip()]


def sent_key(key: str) -> str:
    """Return the name under which a terminal sends a key, or "" if no terminal sends it."""
    *modifiers, name = (f"{key[:-1]}plus" if key == "+" or key.endswith("++") else key).split("+")
    name = KEY_NAME_REPLACEMENTS.get(name, name)
    if not set(modifiers) <= MODIFIERS or len(set(modifiers)) < len(modifiers):
        return ""
    prefix = "".join(f"{modifier}+" for modifier in sorted(modifiers))
    if name in NAMED_KEYS:
        return prefix + name
    character = key_to_character(LONG_NAMES.get(name, name))
    if character is None or not character.isprintable() or (len(name) > 1 and character.isalnum()):
        return ""
    # With shift, a letter is another letter, and the terminal sends that one.
    if modifiers == ["shift"] or (modifiers and character.isupper()):
        return ""
    return prefix + name


def _without_clashes(keymap: dict[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Remove keys that another command uses on the same screen; return a problem for each by id."""
    clashes: dict[str, str] = {}
    for name in list(keymap):
        mine = next(key for key in KEYS if key.id == name)
        for other in KEYS:
            if other is mine or not set(mine.screens) & set(other.screens):
                continue
            if both := keys_in(keymap[name]) & keys_in(keymap.get(other.id, other.key)):
                stays, other_key = shown_keys_of(mine.key), shown_key(min(both))
                clashes[name] = f"{name} keeps {stays}, because {other.id} uses {other_key}"
                del keymap[name]
                break
    return keymap, clashes


def shown_keys(keymap: Mapping[str, str], keys: Iterable[Key] = KEYS) -> dict[str, str]:
    """Return the keys by id as the reader sees them, with the user's own."""
    found = {}
    for key in keys:
        mine = keymap.get(key.id)
        found[key.id] = (
            ", ".join(shown_key(key) for key in sorted(keys_in(mine))) if mine else shown_keys_of(key.key)
        )
    return found


class GameKeys:
    """The keys of a game's actions, worked out once per game."""

    def __init__(self, own: OwnKeys) -> None:
        self._own = own
        self._game: Ruleset | None = None
        self._found: dict[str, Action] = {}

    def of(self, game: "Ruleset | None") -> "Mapping[str, Action]":
        """Return the actions of a game by key; {} if no game is played."""
        if game is not self._game:
            self._game, self._found = game, self._work_out(game) if game is not None else {}
        return self._found

    def names(self, game: "Ruleset | None") -> dict[str, str]:
        """Return the key of each action that has one, as the reader sees it."""
        return {action.name: shown_key(key) for key, action in self.of(game).items()}

    def _work_out(self, game: "Ruleset") -> "dict[str, Action]":
        taken = taken_keys(self._own.keymap)
        found: dict[str, Action] = {}
        for action in game.actions:
            if action.group != "hook":
                preferred = keys_in(self._own.actions.get(action.name, ""))
                found |= {key: action for key in preferred if key not in found}
        for letter, action in game.letters.items():
            if letter not in taken and letter not in found and action.name not in self._own.actions:
                found[letter] = action
        order = [action.name for action in game.actions]
        return dict(sorted(found.items(), key=lambda item: order.index(item[1].name)))
