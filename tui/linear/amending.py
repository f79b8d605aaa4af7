"""Amend the past in lines: what would change is told, and counts once that is agreed."""

from systems.commands.amend import ReplayProgress
from systems.commands.perform import Done
from systems.encounter.amendment import names_ever, names_of
from systems.encounter.changes import apply
from tui.display.amendment import amendment_lines
from tui.linear.conversation import Conversation
from tui.session.session import Attempt, Needs, Session
from tui.terminal.progress import Progress


def played_again(attempt: Attempt) -> Done | Needs:
    """Replay the later events and report the progress. Raises what the attempt raises."""
    progress = Progress("replaying the later events,")
    try:
        for step in attempt.steps():
            if not isinstance(step, ReplayProgress):
                return step
            progress(step.done, step.count)
    finally:
        progress.end()
    raise AssertionError("the last step is what it comes to")


def tell_amendment(session: Session, conversation: Conversation, done: Done) -> None:
    """Say what an amendment would change."""
    names = {
        **names_ever(session.encounter, session.log),
        **names_of(apply(session.encounter, done.event)),
    }
    conversation.say("What would change:")
    for line in amendment_lines(session.log, done.event, names, session.game):
        conversation.say(line)
