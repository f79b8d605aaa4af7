"""The game master's table: the campaign and fight that are open, beside the services of the program."""

from typing import TYPE_CHECKING, Protocol

from tui.services import Services

if TYPE_CHECKING:
    from collections.abc import Sequence

    from systems.encounter.roster import RosterChange
    from tui.campaign.campaign import Campaign
    from tui.controllers.desk import Desk
    from tui.session.opening import OpenEncounter
    from tui.session.session import Session
    from tui.session.write_queue import Saved


class Background(Protocol):
    """What saves and watches the fight that is open; see tui.controllers.background."""

    def remember_spot(self, *, dropped: bool) -> None: ...

    @property
    def saved(self) -> "Saved":
        """How much of the fight is not on the disk."""

    @property
    def looks_on(self) -> bool:
        """Whether nothing can be done here."""

    def opened(self, fight: "OpenEncounter | None") -> None:
        """Save and watch another fight."""

    def open_desk(self) -> None:
        """Listen for the server of the seats, if this program writes the fight."""

    def take_over_from_other(self) -> None:
        """Have the program that writes the fight give it up, and write it from here."""

    def give_up(self) -> None:
        """Let another program write the fight, and look on."""

    def bring_in(self, campaign: object) -> str:
        """Take another version of the open campaign, for the fight too; return why it cannot be, or ""."""

    def read_changed(self) -> None:
        """Read again what others have written."""

    def take_over(self) -> "Session | None":
        """Return the fight to play, once the program that had it has left."""


class Table:
    """What is open; `campaign`, `session` and `fight` are None before a campaign is chosen.

    `folder`: the folder of campaigns that was named.
    `background` saves and watches.
    """

    background: Background

    def __init__(
        self,
        services: Services,
        campaign: "Campaign | None" = None,
        session: "Session | None" = None,
    ) -> None:
        self.services, self.campaign = services, campaign
        self.folder: str | None = None
        # What goes on between the table and its seats, once the program has come so far.
        self.desk: Desk | None = None
        # The cursor of each fight of the campaign that was open here, by its id.
        self.cursors: dict[str, str] = {}
        self._fight: OpenEncounter | None = None
        self.session = session

    @property
    def session(self) -> "Session | None":
        """The fight that is shown."""
        return self._session

    @session.setter
    def session(self, session: "Session | None") -> None:
        self._session = self.services.source = session
        # How many events there were then: what was over before is not this evening's.
        self.opened_with = len(session.log.events) if session is not None else 0

    @property
    def fight(self) -> "OpenEncounter | None":
        """What holds the lock of the campaign; setting it saves in the background from then on."""
        return self._fight

    @fight.setter
    def fight(self, fight: "OpenEncounter | None") -> None:
        self._fight = fight
        if fight is not None:
            fight.session.write_roster = self._write_kept
            fight.session.kept = self._kept
        self.background.opened(fight)

    def _kept(self) -> None:
        """Let the desk of the seats know that the fight has moved."""
        if self.desk is not None:
            self.desk.fight_moved()

    def _write_kept(self, changes: "Sequence[RosterChange]") -> str:
        """Write what characters keep to the roster as it is here; return what stays as it is.

        Raises NotSaved, FileProblem.
        """
        from tui.campaign.kept import write_kept

        assert self.campaign is not None
        self.campaign, said = write_kept(self.campaign, changes)
        if self.session is not None:
            self.session.roster = self.campaign.joinable
        return said

    def open(self, fight: "OpenEncounter") -> None:
        """Show that fight in place of the open one."""
        self.campaign, self.session, self.fight = fight.campaign, fight.session, fight

    def close(self) -> None:
        """Show no fight."""
        self.fight = self.campaign = self.session = None

    def say_no_fight(self) -> None:
        """Say that there is no fight to act in."""
        self.services.say("no fight is open; choose a campaign first", error=True)
