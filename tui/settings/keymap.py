"""The user's own keys: `keys.toml` in the config folder, as `id = "key"` or `id = "key,other"`."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import attrs
from textual.binding import Binding
from textual.keys import format_key

from systems.frozen import frozen
from systems.text import clean, shown, suggestion
from tui.campaign.user_folders import settings_folder
from tui.settings.keys import KEYS, Key, keys_of


def keys_file() -> Path:
    """Return where the user's own keys stand."""
    return settings_folder() / "keys.toml"


def bindings_of(screen: str) -> list[Binding]:
    """Return what a screen class binds: the keys of the table that work on it."""
    return [
        Binding(key.key, key.action, key.label, show=False, tooltip=key.help, id=key.id)
        for key in keys_of(screen)
    ]


def shown_key(key: str) -> str:
    """Return one key as a person reads it."""
    return format_key(key.strip())


def shown_keys_of(keys: str) -> str:
    """Return a list of keys as a person reads it."""
    return ", ".join(shown_key(key) for key in keys.split(","))


@frozen
class OwnKeys:
    """The user's keys by id, and one sentence for each thing in the file that cannot be."""

    keymap: Mapping[str, str] = attrs.field(factory=dict)
    problems: tuple[str, ...] = ()


def own_keys(file: Path) -> OwnKeys:
    """The keys of the user's file; none when there is no file. Never raises for what is in it."""
    import tomllib

    try:
        given = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return OwnKeys()
    except (OSError, ValueError) as error:
        return OwnKeys(problems=(f"keys.toml is not used: {clean(str(error), 200)}",))
    return checked_keys(given)


def checked_keys(given: Mapping[str, object]) -> OwnKeys:
    """Which of the given keys can be used, and what is wrong with the others."""
    known = {one.id: one for one in KEYS}
    keymap: dict[str, str] = {}
    problems: list[str] = []
    for name, keys in given.items():
        if name == "format":
            continue
        if name not in known:
            problems.append(f"keys.toml: no key is called {shown(name)}{suggestion(name, known)}")
        elif not isinstance(keys, str) or not keys.strip(" ,"):
            problems.append(f'keys.toml: {name} expected a key such as "f5", got {shown(keys)}')
        else:
            keymap[name] = keys
    keymap, clashes = _without_clashes(keymap)
    return OwnKeys(keymap, (*problems, *clashes))


def _without_clashes(keymap: dict[str, str]) -> tuple[dict[str, str], list[str]]:
    """The keymap without those that would take another one's key on some screen."""
    clashes: list[str] = []
    for name in list(keymap):
        others = [one for one in KEYS if one.id != name]
        mine = next(one for one in KEYS if one.id == name)
        for other in others:
            if not set(mine.screens) & set(other.screens):
                continue
            if both := _keys(keymap[name]) & _keys(keymap.get(other.id, other.key)):
                stays = shown_keys_of(mine.key)
                clashes.append(
                    f"keys.toml: {name} stays {stays}, because {shown_key(min(both))} is {other.id}'s"
                )
                del keymap[name]
                break
    return keymap, clashes


def _keys(keys: str) -> set[str]:
    """The key names of a list such as `ctrl+s, ?`, each in its long form."""
    return {key for binding in Binding.make_bindings([Binding(keys, "x")]) for key in [binding.key]}


def shown_keys(keymap: Mapping[str, str], keys: Iterable[Key] = KEYS) -> dict[str, str]:
    """Id -> the key as a person reads it, the user's own where there is one."""
    found = {}
    for one in keys:
        mine = keymap.get(one.id)
        found[one.id] = (
            ", ".join(shown_key(key) for key in sorted(_keys(mine))) if mine else shown_keys_of(one.key)
        )
    return found
