"""The private names of Textual that Affray uses, and what it uses them for.

Textual may rename them in any release. Each use calls `has` first. If one of its names is gone, that use
alone is off and the log says so; the program works, only slower or plainer. No other folder uses such a name.
"""

from functools import cache
from importlib import import_module

_APP, _SCREEN, _WIDGET = "textual.app:App.", "textual.screen:Screen.", "textual.widget:Widget."
_COMPOSITOR, _LINUX = "textual._compositor:Compositor", "textual.drivers.linux_driver:LinuxDriver."

USES: dict[str, tuple[str, ...]] = {
    "frames of only what changed": (
        "textual._compositor:CompositorUpdate",
        _COMPOSITOR,
        _COMPOSITOR + "._dirty_regions",
        _COMPOSITOR + "._regions_to_spans",
        _SCREEN + "_compositor",
    ),
    "lines that are made before the frame": (
        _SCREEN + "_compositor",
        _SCREEN + "_compositor_refresh",
        _SCREEN + "_dirty_widgets",
        _WIDGET + "_set_dirty",
    ),
    "no picture of an unfinished screen": (_APP + "_batch_count", _SCREEN + "_compositor_refresh"),
    "style rules that are read once": (
        _APP + "_css_update_count",
        _SCREEN + "_css_update_count",
        _SCREEN + "_on_screen_resume",
    ),
    "the right style for the first frame": (_SCREEN + "_get_breakpoint_classes",),
    "screens without tooltips": (_SCREEN + "_extend_compose",),
    "a new height in the next frame": (_WIDGET + "_check_refresh",),
    "keys in the order they were typed": (_APP + "_check_bindings",),
    "the title of the window": (_APP + "_driver",),
    "going on after an error": (
        _APP + "_close_messages_no_wait",
        _APP + "_dispatch_message",
        _APP + "_exception",
        _APP + "_exception_event",
        _APP + "_exit_renderables",
        _APP + "_handle_exception",
        _APP + "_is_mounted",
        _APP + "_return_code",
    ),
    "the quick driver": (
        "textual._xterm_parser:XTermParser",
        "textual.drivers._writer_thread:WriterThread",
        "textual.drivers._writer_thread:WriterThread._queue",
        _LINUX + "_app",
        _LINUX + "_auto_restart",
        _LINUX + "_debug",
        _LINUX + "_enable_mouse_support",
        _LINUX + "_file",
        _LINUX + "_mouse",
        _LINUX + "_must_signal_resume",
        _LINUX + "_sigcont_application",
        _LINUX + "_writer_thread",
    ),
}


@cache
def has(use: str) -> bool:
    """Return whether Textual has all names of a use. If not, log it once."""
    missing = [name for name in USES[use] if not _exists(name)]
    if missing:
        from tui.terminal.program_log import log_warning

        log_warning("Textual has no %s, so this is off: %s", ", ".join(missing), use)
    return not missing


def _exists(name: str) -> bool:
    """Return whether a class exists, or its attribute: in the class itself, or mentioned in `__init__`."""
    module, _, path = name.partition(":")
    owner, _, attribute = path.partition(".")
    try:
        found = getattr(import_module(module), owner)
    except (ImportError, AttributeError):
        return False
    return not attribute or any(
        attribute in vars(base) or attribute in _names_in(vars(base).get("__init__"))
        for base in found.__mro__
    )


def _names_in(function: object) -> tuple[str, ...]:
    code = getattr(function, "__code__", None)
    return code.co_names if code else ()
