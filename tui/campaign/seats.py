"""seats.toml: which players may sit where, with which characters, and the keys by which they are known."""

import base64
import binascii
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

from systems.errors import Wrong, unknown
from systems.frozen import frozen
from systems.text import shown
from tui.campaign.problems import FileProblem
from tui.campaign.toml.document import document
from tui.campaign.toml.edit import edited
from tui.campaign.toml.files import FORMAT, parse_toml, read_bytes, text_of, write_atomic
from tui.campaign.toml.positions import lines_of

SEATS = "seats.toml"
NAME = re.compile(r"[a-z0-9_-]{1,32}")
FIELDS = ("name", "characters", "keys")
MOST_SEATS = 64
_LONGEST_KEY = 16_000


@frozen
class Seat:
    """A player's place at the table.

    `characters`: ids of the roster. `keys`: public keys as `TYPE BASE64`, without the comment.
    """

    name: str
    characters: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()


@frozen
class Seats:
    """The seats of a campaign by name. `problems`: what is wrong with the others, which nobody can take."""

    by_name: Mapping[str, Seat] = attrs.field(factory=dict)
    problems: tuple[FileProblem, ...] = ()

    def of_key(self, key: str) -> Seat | None:
        """The seat that this public key stands at."""
        return next((seat for seat in self.by_name.values() if key in seat.keys), None)


def read_seats(path: Path, characters: Iterable[str]) -> Seats:
    """The seats of the campaign in a folder; a seat with a mistake is left out. Never raises.

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
    keys = tuple(key for line in table.get("keys", []) if (key := plain_key(line)))
    return Seat(table["name"], tuple(table.get("characters", [])), keys)


def seat_wrongs(tables: Mapping[str, Any], characters: Iterable[str]) -> Iterator[Wrong]:
    """One error for each invalid entry of seats.toml; `field` begins with `seat[N]`."""
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
        for field in seat:
            if field not in FIELDS:
                yield unknown(f"{path}.{field}", "unknown field", field, FIELDS, "unknown_field")
        yield from _character_wrongs(seat.get("characters", []), f"{path}.characters", known)
        yield from _key_wrongs(seat.get("keys", []), f"{path}.keys", keys, str(seat.get("name")))


def _name_wrongs(name: object, field: str, names: set[str]) -> Iterator[Wrong]:
    if not isinstance(name, str) or not name:
        yield Wrong(field, f"expected a text, got {shown(name)}")
    elif not NAME.fullmatch(name):
        yield Wrong(field, f"expected small letters, digits, - and _, at most 32, got {shown(name)}")
    elif name in names:
        yield Wrong(field, f"{shown(name)} is there twice")


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
            where = f"the seat {keys[key]}" if keys[key] != seat else "this seat"
            yield Wrong(f"{field}[{at}]", f"this key stands at {where} already; a key has one seat")
        else:
            keys[key] = seat


def plain_key(line: str) -> str:
    """A line of a public key file as `TYPE BASE64`, without options and comment; "" if it is none."""
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
    """The fingerprint of a public key as `ssh-keygen -l` shows it: `SHA256:...`; "" if it is none."""
    from hashlib import sha256

    plain = plain_key(key)
    if not plain:
        return ""
    digest = sha256(base64.b64decode(plain.split()[1])).digest()
    return f"SHA256:{base64.b64encode(digest).decode().rstrip('=')}"


def add_key(path: Path, name: str, key: str) -> None:
    """Add a public key to a seat in seats.toml, whatever else a person wrote there stays.

    Raises FileProblem for a file that cannot be read, NotSaved for a disk that refuses.
    """
    file = path / SEATS
    if not file.exists():
        write_atomic(file, document({"format": FORMAT}))
    data = read_bytes(file, SEATS)
    tables = parse_toml(data, SEATS)
    seats = [dict(seat) for seat in tables.get("seat", [])]
    for seat in seats:
        if seat.get("name") == name:
            seat["keys"] = [*seat.get("keys", []), key]
            break
    else:
        raise FileProblem(SEATS, 0, "seat", f"there is no seat {shown(name)}")
    write_atomic(file, edited(data, {**tables, "seat": seats}, SEATS))
