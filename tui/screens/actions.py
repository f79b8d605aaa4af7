"""What the keys of the table do on every screen of a fight; a screen may do one of them its own way."""

from typing import TYPE_CHECKING

from textual.screen import Screen

from tui.terminal.error_handling import ErrorHandling

if TYPE_CHECKING:
    from tui.app import AffrayApp


# Said when it changes: with the capitals locked nobody means to press that key.
DICE_SAID = {
    "program": "The program rolls all dice.",
    "real": "All dice are real now: each is asked for.",
    "players": "The players' dice are real now, the program rolls the others.",
}


class FightActions(ErrorHandling, Screen[None]):
    """One method for each action of the key table."""

    @property
    def affray(self) -> "AffrayApp":
        """The app, by its own name."""
        raise NotImplementedError

    def action_command(self, line: str) -> None:
        self.affray.command(line)

    def action_turn(self) -> None:
        """Next turn, or the first one."""
        session = self.affray.session
        begun = session is None or session.encounter.progress.round
        self.affray.command("next" if begun else "start")

    async def action_show(self, mode: str) -> None:
        """Go to another screen, which is there before the next key is looked at."""
        self.affray.say("")
        await self.app.switch_mode(mode)

    def action_ask(self, what: str) -> None:
        """Open a question by its name."""
        self.affray.action_ask(what)

    def action_repeat(self) -> None:
        from tui.prompts.open import repeat

        repeat(self.affray)

    def action_return(self) -> None:
        from tui.prompts.open import come_back

        come_back(self.affray)

    def action_hide(self) -> None:
        one = self.affray.under_cursor
        if one is None:
            self.affray.say("nobody is under the cursor", error=True)
        else:
            self.affray.command(f"{'reveal' if one.state.hidden else 'hide'} {one.id}")

    def action_offer(self) -> None:
        offer = self.affray.offer
        if offer is not None and self.affray.sentence:
            # What was said stands in its place: nothing is taken that is not in sight.
            self.affray.say("")
        elif offer is not None:
            from tui.prompts.open import take

            take(self.affray, offer)

    def action_odds(self) -> None:
        from tui.prompts.open import odds_of_main_action

        odds_of_main_action(self.affray)

    def action_why(self) -> None:
        from tui.prompts.open import why

        why(self.affray)

    def action_help(self) -> None:
        from tui.prompts.open import help_page

        help_page(self.affray)

    def action_dice(self) -> None:
        """The program rolls, all dice are real, the players' are; and round again."""
        from tui.controllers.dice_mode import keep_dice
        from tui.session.session import DICE_MODES

        session = self.affray.session
        if session is not None:
            at = DICE_MODES.index(session.dice)
            session.dice = DICE_MODES[(at + 1) % len(DICE_MODES)]
            problem = keep_dice(self.affray)
            self.affray.say(problem or DICE_SAID[session.dice], error=bool(problem))
            self.affray.show_header()

    def action_palette(self) -> None:
        from tui.prompts.palette import PalettePrompt

        self.affray.say("")
        self.affray.open_prompt(PalettePrompt(self.affray))

    async def action_quit(self) -> None:
        await self.app.action_quit()
