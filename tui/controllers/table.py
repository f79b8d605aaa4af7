"""The game master's table: the open campaign and fight, and the services of the program."""

from typing import TYPE_CHECKING, Protocol

from systems.schema.conversion import replace
from tui.campaign.campaign import Campaign
from tui.campaign.problems import FileProblem, NotSaved
from tui.services import Services
from tui.session.session import DICE_MODES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from systems.encounter.roster import RosterChange
    from tui.controllers.dangers import Dangers
    from tui.controllers.desk import Desk
    from tui.controllers.forecasts import Forecasts
    from tui.session.opening import OpenEncounter
    from tui.session.session import Session
    from tui.session.write_queue import Saved


class Background(Protocol):
    """Saves and watches the open fight, see tui.controllers.background."""

    def remember_spot(self, *, dropped: bool) -> None: ...

    @property
    def saved(self) -> "Saved":
        """Return the state of saving."""

    @property
    def is_read_only(self) -> bool:
        """Return whether the fight is read-only here."""

    def opened(self, fight: "OpenEncounter | None") -> None:
        """Switch to saving and watching another fight."""

    def fight_moved(self) -> None:
        """Go on with the plan of the creatures after a new event, if there is one."""

    def open_desk(self) -> None:
        """Listen for the server of the seats, if this program writes the fight."""

    def take_over_from_other(self) -> None:
        """Have the other program give up the fight, and write it from here."""

    def give_up(self) -> None:
        """Let another program write the fight, and only watch from then on."""

    def bring_in(self, campaign: object) -> str:
        """Use a changed campaign, for the open fight too. Return why that is impossible, or ""."""

    def read_changed(self) -> None:
        """Read the changes that other programs have written."""

    def take_over(self) -> "Session | None":
        """Return the fight for playing, after the other program has released it, or None."""


class Table:
    """The open campaign and fight. `campaign`, `session` and `fight` are None before one is chosen.

    `folder`: the folder of campaigns. `background` saves and watches.
    """

    background: Background

    def __init__(
        self,
        services: Services,
        campaign: Campaign | None = None,
        session: "Session | None" = None,
    ) -> None:
        self.services, self.campaign = services, campaign
        self.folder: str | None = None
        # The connection between the table and its seats, created after the first frame.
        self.desk: Desk | None = None
        # What calculates danger, created after the first frame.
        self.dangers: Dangers | None = None
        # Plays the fight for its odds.
        self.forecasts: Forecasts | None = None
        # The cursor in each of the campaign's fights that was open here, by encounter id.
        self.cursors: dict[str, str] = {}
        self._fight: OpenEncounter | None = None
        self.session = session

    @property
    def session(self) -> "Session | None":
        """Return the fight that is shown."""
        return self._session

    @session.setter
    def session(self, session: "Session | None") -> None:
        self._session = self.services.source = session
        # The number of events at opening: earlier events do not belong to this evening.
        self.opened_with = len(session.log.events) if session is not None else 0

    @property
    def fight(self) -> "OpenEncounter | None":
        """Return the open fight, which holds the lock of the campaign.

        Setting it starts saving in the background.
        """
        return self._fight

    @fight.setter
    def fight(self, fight: "OpenEncounter | None") -> None:
        self._fight = fight
        if fight is not None:
            fight.session.write_roster = self._write_kept
            fight.session.kept = self.fight_changed
        self.background.opened(fight)

    def fight_changed(self) -> None:
        """Report a new event to the desk of the seats, and to the plan of the creatures."""
        if self.desk is not None:
            self.desk.fight_moved()
        self.background.fight_moved()

    def _write_kept(self, changes: "Sequence[RosterChange]") -> str:
        """Save lasting stats to the roster. Return a note on entries that were left unchanged.

        Raises NotSaved or FileProblem.
        """
        fight, campaign = self._fight, self.campaign
        assert fight is not None
        assert campaign is not None
        fight.campaign = campaign
        said = fight.write_kept(changes)
        self.campaign = fight.campaign
        return said

    def next_dice_mode(self) -> str | None:
        """Switch to the next mode: the program rolls, all dice are real, the players' dice are real.

        The campaign stores the choice. Return why it lasts only until the program ends, or None.
        """
        from tui.campaign.roster import save_settings

        campaign, session = self.campaign, self.session
        if session is None:
            return None
        session.dice = DICE_MODES[(DICE_MODES.index(session.dice) + 1) % len(DICE_MODES)]
        if session.read_only or not isinstance(campaign, Campaign):
            return None
        try:
            self.campaign = save_settings(campaign, table=replace(campaign.table, dice=session.dice))
        except (NotSaved, FileProblem) as problem:
            return f"this lasts until you leave, because the campaign was not saved: {problem}"
        return None

    def open(self, fight: "OpenEncounter") -> None:
        """Show a fight in place of the open one."""
        self.campaign, self.session, self.fight = fight.campaign, fight.session, fight

    def close(self) -> None:
        """Show no fight."""
        self.fight = self.campaign = self.session = None

    def say_no_fight(self) -> None:
        """Report that no fight is open."""
        self.services.say("no fight is open; choose a campaign first", error=True)
