"""Amend the log in lines: show what would change, then ask whether to do it."""

from systems.commands.dispatcher import Done
from systems.commands.replay import ReplayProgress
from systems.encounter.amendment import names_ever, names_of
from systems.encounter.changes import apply
from tui.display.amendment import amendment_lines
from tui.linear.conversation import Conversation
from tui.session.attempt import Attempt, Needs
from tui.session.session import Session
from tui.terminal.progress import ProgressLine


def played_again(attempt: Attempt) -> Done | Needs:
    """Replay the fight with an amendment and report progress. Raises what the replay raises."""
    progress = ProgressLine("replaying the fight, event")
    try:
        for step in attempt.steps():
            if not isinstance(step, ReplayProgress):
                return step
            progress(step.done, step.count)
    finally:
        progress.end()
    raise AssertionError("the last step is the result")


def say_amendment(session: Session, conversation: Conversation, done: Done) -> None:
    """Say what an amendment would change."""
    names = {
        **names_ever(session.encounter, session.log),
        **names_of(apply(session.encounter, done.event)),
    }
    conversation.say("Changes:")
    for line in amendment_lines(session.log, done.event, names, session.game):
        conversation.say(line)
