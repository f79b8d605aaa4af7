"""Set up all tests: parallel workers, reproducible randomness, and an empty home folder."""

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.laws import THOROUGH

# Keep compiled modules even if the environment says not to. Otherwise every worker rewrites the assertions of
# all tests again, and every started program compiles all its modules: a fifth of the run.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

settings.register_profile(
    "quick",
    derandomize=True,
    deadline=None,
    max_examples=30,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("thorough", settings.get_profile("quick"), derandomize=False, max_examples=1_000)
settings.load_profile("thorough" if THOROUGH else "quick")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Run the whole suite on all cores, but a few files in one process. `-n` overrides this."""
    whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    # A worker must never start workers of its own.
    is_worker = hasattr(config, "workerinput")
    parallel = config.pluginmanager.hasplugin("xdist") and not config.option.usepdb and not is_worker
    if whole and parallel and config.option.numprocesses is None and not config.option.collectonly:
        # Idle workers take tests from busy ones, so that one long file does not hold up the run.
        config.option.numprocesses, config.option.dist = workers(), "worksteal"


def workers() -> int:
    """Return one and a half times the number of cores: tests spend a third of their time waiting."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + (cores + 1) // 2


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Divide the rewriting of assertions among the workers; each then finds what the others compiled.

    Until all tests are collected, garbage collection would only look at objects that stay.
    """
    gc.disable()
    worker = getattr(session.config, "workerinput", None)
    if worker is None:
        return
    here = Path(__file__).parent
    files = [file for folder in session.config.args for file in Path(folder).absolute().rglob("test_*.py")]
    own = sorted(files)[int(worker["workerid"].removeprefix("gw")) :: worker["workercount"]]
    for file in own:
        # The collection reports a file that cannot be imported.
        with suppress(Exception, pytest.skip.Exception):
            import_module(".".join((here.name, *file.relative_to(here).with_suffix("").parts)))


def pytest_collection_finish() -> None:
    """Exclude the collected tests from garbage collection, and collect less often: a fifth of the run."""
    gc.enable()
    gc.collect()
    gc.freeze()
    # With the usual 700 objects between collections, a tenth of the run goes into them. A program makes about
    # 20,000 objects in a test, and most are gone by the time there are 100,000.
    gc.set_threshold(100_000, 20, 20)


@pytest.fixture(scope="session", autouse=True)
def _same_terminal_everywhere() -> Iterator[None]:
    """Hide the terminal that runs the tests, because an application takes its first colours from it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TERM", "xterm")
        for name in ("COLORTERM", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES"):
            patch.delenv(name, raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def _empty_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Point every folder in which a program may store files to an empty one, also for child processes."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        for kind in ("CACHE", "CONFIG", "DATA", "STATE"):
            patch.setenv(f"XDG_{kind}_HOME", str(home / kind.lower()))
        patch.delenv("AFFRAY_CAMPAIGNS", raising=False)
        yield
