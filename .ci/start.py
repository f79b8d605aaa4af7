# The first file of the single-file program, in place of shiv's own. Any Python may run it, however old:
# it says in one line what is missing.
# ruff: noqa: UP031, UP036
import os
import sys


def stop(words):
    sys.stderr.write("affray: %s\n" % words)
    sys.exit(1)


if sys.version_info < (3, 11):
    stop("it needs Python 3.11 or later, and python3 is %d.%d here" % tuple(sys.version_info[:2]))

import _bootstrap  # noqa: E402

extract = _bootstrap.extract_site_packages


def unpack(archive, place, *more):
    """Unpack as shiv does, which happens once, and show a line about it at a terminal."""
    if sys.stderr.isatty():
        sys.stderr.write("affray: unpacking what it needs below %s, which is done once.\n" % place.parent)
    try:
        extract(archive, place, *more)
    except OSError as error:
        why = os.strerror(error.errno).lower() if error.errno else str(error)
        stop(
            "what it needs cannot be unpacked below %s (%s): name another folder in SHIV_ROOT"
            % (place.parent, why)
        )


_bootstrap.extract_site_packages = unpack
_bootstrap.bootstrap()
