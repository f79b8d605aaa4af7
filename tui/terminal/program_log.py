"""Write the log of the program, which is off until `--log FILE` or AFFRAY_LOG turns it on.

Every module may call the functions of this one. While the log is off they do nothing and import nothing.
"""

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from logging import Logger

VARIABLE = "AFFRAY_LOG"
_OWN = ("tui", "systems")
_loggers: "list[Logger]" = []  # the one in use, if any


def error_place(error: BaseException) -> str:
    """Return the last place of our own code in an error's traceback, as `log_lines.py, line 63`; or ""."""
    place, trace = "", error.__traceback__
    while trace is not None:
        *folders, name = trace.tb_frame.f_code.co_filename.replace("\\", "/").split("/")
        if not place or any(folder in folders for folder in _OWN):
            place = f"{name}, line {trace.tb_lineno}"
        trace = trace.tb_next
    return place


def is_on() -> bool:
    """Return whether the log is on."""
    return bool(_loggers)


def use(logger: "Logger | None") -> None:
    """Log with this logger from now on, or stop logging."""
    _loggers[:] = [logger] if logger is not None else []


def log_info(text: str, *values: object) -> None:
    """Log what the program does. `values` replace the `%s` of the text."""
    for logger in _loggers:
        logger.info(text, *values)


def log_warning(text: str, *values: object) -> None:
    """Log a request that was refused, or work that will be tried again."""
    for logger in _loggers:
        logger.warning(text, *values)


def log_error(text: str, error: BaseException) -> None:
    """Log an unexpected error with its traceback."""
    for logger in _loggers:
        logger.error(text, exc_info=error)


def log_unexpected(error: BaseException) -> None:
    """Log an unexpected error that has no better description."""
    log_error("an unexpected error", error)


def log_task_error(loop: "AbstractEventLoop", context: dict[str, Any]) -> None:
    """Log an unexpected error in an event loop, as its exception handler. The loop continues.

    With AFFRAY_TRACEBACK=1, asyncio prints the traceback as well.
    """
    error = context.get("exception")
    if isinstance(error, BaseException):
        log_error("an unexpected error", error)
    else:
        log_warning("asyncio: %s", context.get("message", ""))
    if os.environ.get("AFFRAY_TRACEBACK"):
        loop.default_exception_handler(context)
