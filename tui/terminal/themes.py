"""The program's own three themes. Every text of theirs is readable on every ground: WCAG AA, or AAA in one.

Green, amber and red are for health and danger alone; one accent is for turn, question and focus, and a quiet
fourth for conditions. The names of the players' side are cool, those of the others warm.
"""

from collections.abc import Mapping

from textual.theme import Theme

DARK, LIGHT, CONTRAST = "affray-dark", "affray-light", "affray-contrast"


def _theme(
    name: str, *, dark: bool, grounds: str, primary: str, foreground: str, texts: Mapping[str, str]
) -> Theme:
    """Return a theme of opaque colours. `grounds`: background, surface, panel, marked row."""
    background, surface, panel, marked = grounds.split()
    return Theme(
        name,
        primary=primary,
        secondary=texts["condition"],
        accent=texts["accent"],
        success=texts["success"],
        warning=texts["warning"],
        error=texts["error"],
        foreground=foreground,
        background=background,
        surface=surface,
        panel=panel,
        boost=marked,
        dark=dark,
        variables={f"text-{tone}": colour for tone, colour in texts.items()},
    )


OWN = {
    theme.name: theme
    for theme in (
        _theme(
            DARK,
            dark=True,
            grounds="#10141b #151a23 #1e2531 #1b212c",
            primary="#3d7ec4",
            foreground="#d7dde6",
            texts={
                "muted": "#9aa6b6",
                "accent": "#8cc4ff",
                "condition": "#c8b2f5",
                "ours": "#8fdce6",
                "others": "#e6c3a0",
                "success": "#7fd49a",
                "warning": "#f0c060",
                "error": "#ff8a90",
            },
        ),
        _theme(
            LIGHT,
            dark=False,
            grounds="#f7f6f2 #fdfcf9 #e3e6eb #eceae3",
            primary="#3d7ec4",
            foreground="#1c2430",
            texts={
                "muted": "#4c5665",
                "accent": "#124a8a",
                "condition": "#54349a",
                "ours": "#00566a",
                "others": "#6b3d1e",
                "success": "#14602c",
                "warning": "#6e4a00",
                "error": "#a3162a",
            },
        ),
        _theme(
            CONTRAST,
            dark=True,
            grounds="#000000 #000000 #141414 #1c1c1c",
            primary="#0a5fc0",
            foreground="#ffffff",
            texts={
                "muted": "#d4d4d4",
                "accent": "#7fdcff",
                "condition": "#e0c4ff",
                "ours": "#9aeaf2",
                "others": "#ffd9b3",
                "success": "#6dff96",
                "warning": "#ffdc66",
                "error": "#ffacac",
            },
        ),
    )
}
