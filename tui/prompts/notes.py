"""The prompt for a note in the log."""

from tui.prompts.line import LinePrompt, Reading

FOR_ALL = " for all"


class NotePrompt(LinePrompt):
    """Prompt of `T`: the text of the note."""

    ENTER = "save"
    TAB = ""
    label = "note"

    def title(self) -> str:
        return 'Note for the log · end it with "for all" to show the players'

    def read(self) -> Reading:
        text = self.line.text.strip()
        if not text:
            return Reading(says="type a note")
        seen = "the players see it" if f" {text}".casefold().endswith(FOR_ALL) else "only you see it"
        return Reading(f"note {text}", seen)
