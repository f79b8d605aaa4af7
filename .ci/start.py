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

from _bootstrap import bootstrap, cache_path, current_zipfile  # noqa: E402
from _bootstrap.environment import Environment  # noqa: E402

with current_zipfile() as archive:
    environment = Environment.from_json(archive.read("environment.json").decode())
    unpacked = cache_path(archive, environment.root, environment.build_id)
if not unpacked.exists() and sys.stderr.isatty():
    sys.stderr.write("affray: unpacking what it needs below %s, which is done once.\n" % unpacked.parent)
try:
    # The program itself tells all that goes wrong in it.
    bootstrap()
except OSError as error:
    why = os.strerror(error.errno) if error.errno else str(error)
    stop(
        "what it needs cannot be unpacked below %s (%s): name another folder in SHIV_ROOT"
        % (unpacked.parent, why.lower())
    )
