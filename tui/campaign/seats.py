"""Read and change seats.toml: the seats of a campaign, their characters, their keys, and kicked keys."""

import base64
import binascii
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase
from typing import Any
from unicodedata import normalize

from systems.errors import Wrong, unknown
from systems.frozen import frozen
from systems.text import shown
from tui.campaign.passwords import PasswordHash, read_hash
from tui.campaign.problems import FileProblem
from tui.campaign.toml.document import document
from tui.campaign.toml.edit import edited
from tui.campaign.toml.files import FORMAT, parse_toml, read_bytes, text_of, write_atomic
from tui.campaign.toml.positions import lines_of

SEATS = "seats.toml"
NAME = re.compile(r"[a-z0-9_-]{1,32}")
FIELDS = ("name", "characters", "keys", "kicked", "password")
MOST_SEATS = 64
_LONGEST_KEY = 16_000
_LONGEST_SHOWN = 32
_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)


@frozen
class Seat:
    """A player's place at the table.

    `characters`: ids of the roster. `keys`: public keys as `TYPE BASE64`, without the comment.
    `kicked`: keys that open no seat until the game master lets them in again. `password`: the hash of a
    lasting password, or None.
    """

    name: str
    characters: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    kicked: tuple[str, ...] = ()
    password: PasswordHash | None = None


@frozen
class Seats:
    """The seats of a campaign by name. `problems`: mistakes of the seats that were left out."""

    by_name: Mapping[str, Seat] = {}
    problems: tuple[FileProblem, ...] = ()

    def of_key(self, key: str) -> Seat | None:
        """Return the seat that lists this public key."""
        return next((seat for seat in self.by_name.values() if key in seat.keys), None)

    def kicked_from(self, key: str) -> Seat | None:
        """Return the seat that this public key was kicked from, or None."""
        return next((seat for seat in self.by_name.values() if key in seat.kicked), None)


def read_seats(path: Path, characters: Iterable[str]) -> Seats:
    """Return a campaign's seats. A seat with a mistake is left out. Never raises.

    `characters`: the ids that a seat may name.
    """
    if not (path / SEATS).exists():
        return Seats()
    try:
        data = read_bytes(path / SEATS, SEATS)
        tables = parse_toml(data, SEATS)
    except FileProblem as problem:
        return Seats(problems=(problem,))
    wrongs = list(seat_wrongs(tables, characters))
    fields = [wrong.field for wrong in wrongs]
    lines = lines_of(text_of(data, SEATS), fields) if wrongs else []
    problems = tuple(FileProblem.of(SEATS, line, wrong) for wrong, line in zip(wrongs, lines, strict=True))
    bad = {field.partition(".")[0] for field in fields}
    seats = {}
    if "seat" not in bad:
        for at, table in enumerate(tables.get("seat", [])):
            if f"seat[{at}]" not in bad:
                seats[table["name"]] = _seat_of(table)
    return Seats(seats, problems)


def _seat_of(table: Mapping[str, Any]) -> Seat:
    keys, kicked = (
        tuple(key for line in table.get(field, []) if (key := plain_key(line)))
        for field in ("keys", "kicked")
    )
    password = read_hash(table.get("password", ""))
    return Seat(table["name"], tuple(table.get("characters", [])), keys, kicked, password)


def seat_wrongs(tables: Mapping[str, Any], characters: Iterable[str]) -> Iterator[Wrong]:
    """Yield one error for each invalid entry of seats.toml. `field` begins with `seat[N]`."""
    known = sorted(set(characters))
    for name in tables:
        if name not in ("format", "seat"):
            yield unknown(name, "unknown field", name, ("format", "seat"), "unknown_field")
    seats = tables.get("seat", [])
    if not isinstance(seats, list) or not all(isinstance(seat, dict) for seat in seats):
        yield Wrong("seat", "expected [[seat]] tables")
        return
    if len(seats) > MOST_SEATS:
        yield Wrong("seat", f"expected at most {MOST_SEATS} seats, got {len(seats)}")
        return
    names: set[str] = set()
    keys: dict[str, str] = {}
    for at, seat in enumerate(seats):
        path = f"seat[{at}]"
        yield from _name_wrongs(seat.get("name"), f"{path}.name", names)
        names.add(str(seat.get("name")))
        for key in seat:
            if key not in FIELDS:
                yield unknown(f"{path}.{key}", "unknown field", key, FIELDS, "unknown_field")
        yield from _character_wrongs(seat.get("characters", []), f"{path}.characters", known)
        yield from _key_wrongs(seat.get("keys", []), f"{path}.keys", keys, str(seat.get("name")))
        # A kicked key may be in several lists: it is refused in any case.
        yield from _key_wrongs(seat.get("kicked", []), f"{path}.kicked", {}, str(seat.get("name")))
        if (hashed := seat.get("password", "")) and not (isinstance(hashed, str) and read_hash(hashed)):
            # The text may be a password that a person chose, so it is not repeated.
            yield Wrong(f"{path}.password", "expected the hash that Affray wrote; remove it and invite again")


def _name_wrongs(name: object, field: str, names: set[str]) -> Iterator[Wrong]:
    if not isinstance(name, str) or not name:
        yield Wrong(field, f"expected a text, got {shown(name)}")
    elif not NAME.fullmatch(name):
        yield Wrong(field, f"expected small letters, digits, - and _, at most 32, got {shown(name)}")
    elif name in names:
        yield Wrong(field, f"{shown(name)} is used twice")


def _character_wrongs(characters: object, field: str, known: list[str]) -> Iterator[Wrong]:
    if not isinstance(characters, list):
        yield Wrong(field, f"expected a list of characters, got {shown(characters)}")
        return
    for at, character in enumerate(characters):
        if not isinstance(character, str) or not character:
            yield Wrong(f"{field}[{at}]", f"expected a text, got {shown(character)}")
        elif character not in known:
            yield unknown(f"{field}[{at}]", f"there is no character {shown(character)}", character, known)


def _key_wrongs(lines: object, field: str, keys: dict[str, str], seat: str) -> Iterator[Wrong]:
    if not isinstance(lines, list):
        yield Wrong(field, f'expected a list such as ["ssh-ed25519 AAAA..."], got {shown(lines)}')
        return
    for at, line in enumerate(lines):
        key = plain_key(line) if isinstance(line, str) else ""
        if not key:
            said = f"expected a public key such as ssh-ed25519 AAAA..., got {shown(line)}"
            yield Wrong(f"{field}[{at}]", said)
        elif key in keys:
            owner = f"the seat {keys[key]}" if keys[key] != seat else "this seat"
            yield Wrong(f"{field}[{at}]", f"this key already belongs to {owner}; a key has one seat")
        else:
            keys[key] = seat


def plain_key(line: str) -> str:
    """Return a line of a public key file as `TYPE BASE64`, without options and comment; "" if it is none."""
    words = line.split()
    if len(line) > _LONGEST_KEY or len(words) < 2:
        return ""
    try:
        data = base64.b64decode(words[1], validate=True)
    except (binascii.Error, ValueError):
        return ""
    length = int.from_bytes(data[:4], "big")
    if len(data) <= 4 + length or data[4 : 4 + length] != words[0].encode("ascii", "replace"):
        return ""
    return f"{words[0]} {words[1]}"


def fingerprint(key: str) -> str:
    """Return a public key's fingerprint as `ssh-keygen -l` shows it, `SHA256:...`; "" if it is not a key."""
    plain = plain_key(key)
    if not plain:
        return ""
    digest = sha256(base64.b64decode(plain.split()[1])).digest()
    return f"SHA256:{base64.b64encode(digest).decode().rstrip('=')}"


def add_key(path: Path, name: str, key: str) -> None:
    """Let a public key open a seat; it is then kicked from no seat.

    Raises FileProblem if the file cannot be read, NotSaved if it cannot be written.
    """

    def add(seats: Mapping[str, dict[str, Any]]) -> None:
        line = key
        for seat in seats.values():
            line = next((kept for kept in _lines(seat, "kicked") if plain_key(kept) == key), line)
            _take_out(seat, "kicked", {key})
        if key not in map(plain_key, _lines(seats[name], "keys")):
            seats[name]["keys"] = [*_lines(seats[name], "keys"), line]

    _change_seats(path, name, add)


def remove_key(path: Path, name: str, key: str) -> None:
    """Remove a public key from a seat, kicked or not. Raises FileProblem or NotSaved."""

    def remove(seats: Mapping[str, dict[str, Any]]) -> None:
        for part in ("keys", "kicked"):
            _take_out(seats[name], part, {key})

    _change_seats(path, name, remove)


def kick_keys(path: Path, name: str, keys: Iterable[str]) -> None:
    """Refuse public keys until they are admitted again: the seat lists them as kicked.

    Raises FileProblem if the file cannot be read, NotSaved if it cannot be written.
    """
    lines = {key: key for key in keys}

    def kick(seats: Mapping[str, dict[str, Any]]) -> None:
        seat = seats[name]
        # A line keeps the comment that names its owner.
        lines.update({key: line for line in _lines(seat, "keys") if (key := plain_key(line)) in lines})
        _take_out(seat, "keys", lines)
        known = set(map(plain_key, _lines(seat, "kicked")))
        fresh = [line for key, line in lines.items() if key not in known]
        if fresh:
            seat["kicked"] = [*_lines(seat, "kicked"), *fresh]

    _change_seats(path, name, kick)


def set_password(path: Path, name: str, password: PasswordHash | None) -> None:
    """Give a seat a lasting password, or take it away. Raises FileProblem or NotSaved."""

    def change(seats: Mapping[str, dict[str, Any]]) -> None:
        seats[name].pop("password", None)
        if password is not None:
            seats[name]["password"] = str(password)

    _change_seats(path, name, change)
    if password is not None:
        # A hash can be attacked at leisure, so that only the user should have it.
        with suppress(OSError):
            (path / SEATS).chmod(0o600)


def _read_or_create(path: Path) -> tuple[bytes, dict[str, Any]]:
    """Return the bytes and the tables of seats.toml. Create it without seats if it is missing."""
    file = path / SEATS
    if not file.exists():
        write_atomic(file, document({"format": FORMAT}))
    data = read_bytes(file, SEATS)
    return data, parse_toml(data, SEATS)


def add_seats(path: Path, seats: Sequence[Seat]) -> None:
    """Add seats to seats.toml, which is created if it is missing. Raises FileProblem or NotSaved."""
    data, tables = _read_or_create(path)
    listed = tables.get("seat", [])
    if not isinstance(listed, list):
        raise FileProblem(SEATS, 0, "seat", "expected [[seat]] tables")
    if len(listed) + len(seats) > MOST_SEATS:
        raise FileProblem(SEATS, 0, "seat", f"expected at most {MOST_SEATS} seats")
    new = [{"name": seat.name, "characters": list(seat.characters), "keys": []} for seat in seats]
    write_atomic(path / SEATS, edited(data, {**tables, "seat": [*listed, *new]}, SEATS))


def seat_for(character: str, seats: Seats) -> Seat:
    """Return a new seat for a character of the roster, with a name that no seat has."""
    # Accents are separate characters in this form, and fall away.
    letters = normalize("NFKD", character).encode("ascii", "ignore").decode().translate(_SMALL)
    plain = re.sub(r"[^a-z0-9_-]+", "-", letters)[:28].strip("-") or "player"
    names = (plain, *(f"{plain}-{number}" for number in range(2, MOST_SEATS + 2)))
    return Seat(next(name for name in names if name not in seats.by_name), (character,))


def _lines(seat: Mapping[str, Any], field: str) -> Sequence[str]:
    """Return the lines of one of a seat's lists of keys; a seat with a mistake may hold anything there."""
    lines = seat.get(field)
    return [line for line in lines if isinstance(line, str)] if isinstance(lines, list) else []


def _take_out(seat: dict[str, Any], field: str, keys: Container[str]) -> None:
    """Remove public keys from one of a seat's lists."""
    lines = _lines(seat, field)
    left = [line for line in lines if plain_key(line) not in keys]
    if len(left) < len(lines):
        seat[field] = left


def _change_seats(path: Path, name: str, change: Callable[[Mapping[str, dict[str, Any]]], None]) -> None:
    """Change the tables of seats.toml, by name; comments and layout of the file stay.

    Raises FileProblem if there is no seat `name` or the file is unreadable, NotSaved if it cannot be written.
    """
    data, tables = _read_or_create(path)
    listed = tables.get("seat", [])
    seats = [dict(seat) for seat in listed if isinstance(seat, dict)] if isinstance(listed, list) else []
    by_name = {str(seat.get("name")): seat for seat in seats}
    if name not in by_name or len(seats) < len(listed):
        raise FileProblem(SEATS, 0, "seat", f"there is no seat {shown(name)}")
    change(by_name)
    write_atomic(path / SEATS, edited(data, {**tables, "seat": seats}, SEATS))


def named_seat(typed: str) -> str:
    """Return the seat name that a login name means, in small letters; "" for no name.

    Only ASCII letters change case: the Kelvin sign is no k.
    """
    name = typed.translate(_SMALL)
    return name if NAME.fullmatch(name) else ""


def escaped_name(typed: str) -> str:
    """Return a login name for the screen, with escapes such as \\u0430.

    Each character that no seat name has is escaped, so that look-alikes, combining and control characters
    can't pass for a seat's name. A long name is cut.
    """
    name = typed.translate(_SMALL)
    shown = "".join(letter if NAME.fullmatch(letter) else _escape(letter) for letter in name[:_LONGEST_SHOWN])
    return (shown if len(name) <= _LONGEST_SHOWN else f"{shown}…") or "?"


def _escape(letter: str) -> str:
    number = ord(letter)
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
