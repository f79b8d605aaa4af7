"""`affray invite CAMPAIGN`: print for each seat a message that invites its player."""

import asyncio
import json
from argparse import Namespace
from collections.abc import Sequence

from systems.errors import InputError, unknown
from systems.text import shown
from tui.campaign.campaign import Campaign, load
from tui.campaign.folders import where
from tui.campaign.listing import find_to_play
from tui.campaign.seats import Seat, read_seats
from tui.display.invitation import Invitation, host_of
from tui.seats.inviting import ask_for_passwords
from tui.terminal.notice import notice
from tui.wire.reach import is_address
from tui.wire.server_report import PasswordOfSeat, ServedAt

_NO_SERVER = (
    "no server runs, so there are no passwords: start affray serve, or the server on the page of seats"
)


def run(arguments: Namespace) -> int:
    path = find_to_play(where(arguments.campaigns), arguments.campaign)
    campaign = load(path)
    address = campaign.seats.address
    if address and not is_address(address):
        raise InputError("campaign.toml: seats.address: expected a host name or an address")
    seats = _seats(campaign, arguments.seat)
    # A player whose key is known needs no password.
    asked = [seat.name for seat in seats if arguments.seat or not seat.keys]
    found = _invitations(campaign, seats, asked, arguments.lasts)
    if arguments.json:
        print(json.dumps({"seats": [_plain(each) for each in found]}, ensure_ascii=False))
        return 0
    for at, invitation in enumerate(found):
        print("\n" * bool(at) + "\n".join(invitation.message))
    if warning := found[0].warning:
        notice(warning)
    return 0


def _seats(campaign: Campaign, name: str | None) -> Sequence[Seat]:
    """Return the named seat, or all. Raises InputError without any."""
    seats = read_seats(campaign.path, campaign.roster)
    for problem in seats.problems:
        notice(str(problem))
    if name is not None and name not in seats.by_name:
        raise unknown("", f"there is no seat {shown(name)}", name, seats.by_name)
    chosen = [seats.by_name[name]] if name is not None else list(seats.by_name.values())
    if not chosen:
        raise InputError(f"{campaign.name} has no seats: make them on the page of seats (P, then M)")
    return chosen


def _invitations(
    campaign: Campaign, seats: Sequence[Seat], asked: Sequence[str], lasts: str
) -> Sequence[Invitation]:
    """Return the invitations. `asked`: the seats that get a password of the running server."""
    answer = asyncio.run(ask_for_passwords(campaign.path, asked, lasts))
    settings = campaign.seats
    if answer is None:
        from tui.seats.serving import host_key

        notice(_NO_SERVER)
        where = ServedAt(settings.listen or "", settings.port, host_key(None).get_fingerprint())
    else:
        where = answer.where
    passwords = {each.name: each for each in answer.seats} if answer else {}
    without = {seat.name: PasswordOfSeat(seat.name, "", "good" if seat.password else "") for seat in seats}
    host = host_of(settings.address, where.address)
    return [
        Invitation(
            seat.name,
            [campaign.roster[id].name for id in seat.characters if id in campaign.roster],
            host,
            where.port,
            where.fingerprint,
            password.password,
            password.lasts,
            has_key=bool(seat.keys),
            is_chosen=bool(settings.address),
        )
        for seat, password in ((seat, (without | passwords)[seat.name]) for seat in seats)
    ]


def _plain(invitation: Invitation) -> dict[str, str]:
    return {
        "name": invitation.seat,
        "line": invitation.line,
        "password": invitation.password,
        "fingerprint": invitation.fingerprint,
    }
