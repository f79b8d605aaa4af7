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
    """Unpack as shiv does, once, and say so at a terminal."""
    if sys.stderr.isatty():
        sys.stderr.write("affray: unpacking its files into %s; this happens only once.\n" % place.parent)
    try:
        extract(archive, place, *more)
    except OSError as error:
        why = os.strerror(error.errno).lower() if error.errno else str(error)
        stop("cannot unpack its files into %s (%s): set SHIV_ROOT to another folder" % (place.parent, why))


_bootstrap.extract_site_packages = unpack
_bootstrap.bootstrap()
