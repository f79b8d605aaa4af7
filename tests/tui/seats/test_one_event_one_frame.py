"""An event costs one frame on each seat's screen, and one view for all equal viewers."""

from pathlib import Path

import pytest

from systems.codec.plain import to_plain
from tests.tui.opened import copied
from tests.tui.pilot import frames
from tests.tui.seats.screen import Seat, fight, seen
from tui.campaign.seats import Seat as SeatAtTable
from tui.seats.following import FollowedCampaign
from tui.wire.frames import FrameReader, as_json, encode


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_an_event_repaints_only_the_changed_parts_and_only_once(size):
    play = fight()
    async with Seat(seen(play), size, play) as seat:
        for line in ("condition okado prone for 2 rounds", "next", "clear okado prone", "next", "next"):
            play.do(line)
            with frames() as painted:
                seat.app.seat.show_view(seen(play))
                await seat.pilot.idle()
            # The card may need one more row for what is new; it gives none back.
            assert painted == ["part"] or line.startswith("condition"), line


def followed(folder: Path) -> FollowedCampaign:
    return FollowedCampaign(copied(folder), lambda: None, lambda: None, print)


def test_viewers_with_the_same_sight_share_one_view(tmp_path):
    campaign = followed(tmp_path)
    first, second = (SeatAtTable(name=name, characters=("okado",), keys=()) for name in ("one", "two"))
    other = SeatAtTable(name="three", characters=("tamsin",), keys=())
    made = campaign.made_for(first)
    assert campaign.made_for(second) is made
    assert campaign.made_for(other).view != made.view
    assert campaign.made_for(None) is campaign.made_for(None)
    assert made.json is made.json


def test_a_plain_json_value_reads_back_unchanged(tmp_path):
    plain = to_plain(seen(fight('note »quoted" \\ and ünïcode« for all')))
    message = {"kind": "view", "n": 3, "view": plain, "token": "x"}
    (read,) = FrameReader().feed(encode({**message, "view": as_json(plain)}))
    assert read == message
    assert list(FrameReader().feed(encode(message))) == [message]
