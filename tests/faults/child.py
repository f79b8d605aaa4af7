"""Processes that run the program behind a faulty disk.

`python -m tests.faults.child` waits for jobs, one JSON line each, and forks a process for each one, so
that a thousand starts of the program do not cost a thousand imports. With a job as its argument it
carries that one out itself, in an interpreter of its own.
"""

import gc
import json
import os
import resource
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import systems
from systems.frozen import asdict, frozen
from tests.faults.disk import Disk, Fault
from tui import campaign, cli, session


@frozen
class Job:
    """A run of the program: its words, what it reads, where everything goes, and the fault.

    `memory`: the bytes of address space that it may have; 0 for any.
    """

    words: list[str]
    folder: str
    campaigns: str
    state: str
    fault: tuple[int, str] | None = None
    memory: int = 0

    def plain(self) -> str:
        return json.dumps(asdict(self))


def carry_out(job: Job) -> int:
    """Run the program as this process: stdin, stdout, stderr and the trace are files in the job's folder."""
    folder = Path(job.folder)
    for number, name, flags in (
        (0, "in", os.O_RDONLY),
        (1, "out", os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
        (2, "err", os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
    ):
        descriptor = os.open(folder / name, flags, 0o600)
        os.dup2(descriptor, number)
        os.close(descriptor)
    trace = os.open(folder / "trace", os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o600)
    os.environ["AFFRAY_CAMPAIGNS"] = job.campaigns
    os.environ["XDG_STATE_HOME"] = job.state
    sys.argv = ["affray", *job.words]
    if job.memory:
        resource.setrlimit(resource.RLIMIT_AS, (job.memory, job.memory))
    fault = Fault(*job.fault) if job.fault else None
    Disk(fault, trace, [Path(job.campaigns), Path(job.state)], folder / "image").install()
    if job.words[0].startswith("@"):
        from tests.faults import edits

        return edits.run(job.words[0], job.words[1:])
    from tui.cli.main import main

    return main(job.words)


def warm() -> None:
    """Import everything that the jobs need, so that no fork imports it again."""
    for package in (systems, campaign, cli, session):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)
    systems.load("atlantis")
    gc.collect()
    gc.freeze()


def serve() -> None:
    warm()
    for line in sys.stdin:
        job = read(json.loads(line))
        child = os.fork()
        if child == 0:
            status = 70
            try:
                status = carry_out(job)
                sys.stdout.flush()
            finally:
                sys.stderr.flush()
                os._exit(status)
        _, how = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(how), flush=True)


def read(plain: dict[str, Any]) -> Job:
    return Job(**plain)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        raise SystemExit(carry_out(read(json.loads(sys.argv[1]))))
    serve()
