"""The prompt for a note in the log."""

from tui.prompts.line import LinePrompt, Reading

FOR_ALL = " for all"


class NotePrompt(LinePrompt):
    """`T`: the text of the note."""

    ENTER = "write it"
    TAB = ""
    label = "note"

    def title(self) -> str:
        return "A note for the log · for all at its end shows it to the players"

    def read(self) -> Reading:
        text = self.line.text.strip()
        if not text:
            return Reading(says="what is there to note?")
        seen = "everybody sees it" if f" {text}".casefold().endswith(FOR_ALL) else "for you alone"
        return Reading(f"note {text}", seen)
