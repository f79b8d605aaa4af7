"""What a seat's program may ask of the server: each answer is worked out from what the seat sees."""

from time import monotonic
from typing import Any

from systems.visibility.build import older_lines
from systems.visibility.plain import to_plain
from tui.campaign.seats import Seat
from tui.display.seat_odds import line_help
from tui.seats.following import FollowedCampaign, viewer_of
from tui.wire.frames import Message

_MOST_LINES = 200
_LONGEST_LINE = 500
_ODDS_FOR = 0.03  # seconds for which odds are worked out while others wait


def answer(followed: FollowedCampaign, seat: Seat | None, question: Message) -> Any:
    """The answer to one question as plain data; None if there is none."""
    fight = followed.fight_of(seat)
    if fight is None:
        return None
    session, viewer = fight.session, viewer_of(seat)
    match question.get("what"):
        case "older":
            skip = question.get("skip")
            if type(skip) is not int or not 0 <= skip <= 1_000_000:
                return None
            lines = older_lines(
                session.encounter, session.log, viewer, followed.campaign.seats, skip, _MOST_LINES
            )
            return [to_plain(line) for line in lines]
        case "line":
            line = question.get("line")
            if not isinstance(line, str) or len(line) > _LONGEST_LINE:
                return None
            until = monotonic() + _ODDS_FOR
            encounter, log, shown = session.encounter, session.log, followed.campaign.seats
            return to_plain(line_help(encounter, log, viewer, shown, line, lambda: monotonic() < until))
    return None
