"""The message that invites a player to a seat, ready to paste into a chat."""

from collections.abc import Sequence

from systems.frozen import frozen
from tui.display.text import Row, printable, under_cursor, wrapped
from tui.wire.reach import default_address, is_every_address, is_private

_USUAL_PORT = 22
_LASTING = {
    "once": "it works once; after that your own key opens the seat",
    "evening": "for this evening",
    "good": "keep it: it works until the game master ends it",
}
ONLY_HERE = "only on your network; set [seats] address"
# The network of a VPN is private, too.
ONLY_IN_NETWORK = "{} is private: only players in its network or VPN reach it"
NO_PASSWORD = "ask the game master for the password, or press Enter and wait"
# These sentences come once, however many players are invited.
_WINDOWS = "On Windows 10 or later, open PowerShell and paste the same line."


@frozen
class Invitation:
    """An invitation to a seat. `fingerprint`: that of the host key. `has_key`: a known key opens the seat.

    `password` and `lasts` are "" without a password. `is_chosen`: `host` is `address` in `[seats]`.
    """

    seat: str
    characters: Sequence[str]
    host: str
    port: int
    fingerprint: str
    password: str = ""
    lasts: str = ""
    has_key: bool = False
    is_chosen: bool = False

    @property
    def line(self) -> str:
        """Return the line that the player types."""
        port = f"-p {self.port} " if self.port != _USUAL_PORT else ""
        return f"ssh {port}{self.seat}@{self.host or 'HOST'}"

    @property
    def warning(self) -> str:
        """Return what the game master should know about the address, or ""."""
        if not self.host:
            return "this machine has no network; set [seats] address"
        if not is_private(self.host):
            return ""
        return ONLY_IN_NETWORK.format(self.host) if self.is_chosen else ONLY_HERE

    @property
    def message(self) -> Sequence[str]:
        """Return the lines of the message."""
        whom = f" as {' and '.join(self.characters)}" if self.characters else ""
        return [
            f"Join the game{whom}: paste this line into a terminal.",
            "",
            f"    {self.line}",
            "",
            f"Password: {self._password_words}",
            f"Host key: {self.fingerprint}",
            "Type yes if ssh shows the same host key.",
            _WINDOWS,
        ]

    @property
    def _password_words(self) -> str:
        if self.password:
            return f"{self.password} ({_LASTING[self.lasts]})" if self.lasts in _LASTING else self.password
        if self.has_key:
            return "none; your key opens the seat"
        return "the one you have" if self.lasts else NO_PASSWORD


def host_of(address: str | None, listen: str | None) -> str:
    """Return the host in an invitation: `[seats] address`, else what the server listens on, else our own."""
    if address:
        return address
    if listen and not is_every_address(listen):
        return listen
    return default_address()


def message_text(found: Sequence[Invitation]) -> str:
    """Return the messages to paste, with a blank line between two. The sentence about Windows comes last."""
    lines = [[line for line in each.message if line != _WINDOWS] for each in found]
    return "\n\n".join("\n".join(message) for message in lines) + f"\n{_WINDOWS}\n"


def invitation_rows(found: Sequence[Invitation], marked: int, cells: int) -> list[Row]:
    """Return the rows of all invitations: whole for the marked one, a line for each other.

    Lines are wrapped and never cut, because they are copied by hand if the terminal copies nothing.
    """
    if not found:
        return [[(" The server is starting, and passwords are being made …", "muted")]]
    rows: list[Row] = []
    for at, invitation in enumerate(found):
        head: Row = [(f"  {invitation.seat}", "strong"), (f"  {invitation.line}", "")]
        rows.append(under_cursor(head, cells) if at == marked else head)
        if at == marked:
            lines = [*invitation.message, invitation.warning]
            tones = [""] * len(invitation.message) + ["warning"]
            rows += [
                [(f"    {part}", tone)]
                for line, tone in zip(lines, tones, strict=True)
                for part in wrapped(printable(line), max(10, cells - 5), "")
            ]
    rows.append(
        [
            (" Tab", "strong"),
            (" next player, copied too  ", "muted"),
            ("Enter", "strong"),
            (" copy again  ", "muted"),
            ("a", "strong"),
            (" copy all", "muted"),
        ]
    )
    return rows
