"""What all tests share: workers, reproducible chance, and an empty home."""

import gc
import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.laws import THOROUGH

settings.register_profile(
    "quick",
    derandomize=True,
    deadline=None,
    max_examples=50,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("thorough", settings.get_profile("quick"), derandomize=False, max_examples=1_000)
settings.load_profile("thorough" if THOROUGH else "quick")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Run the whole suite on all cores; a few files are quicker in one process. `-n` decides otherwise."""
    whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    # A worker must never start workers of its own.
    is_worker = hasattr(config, "workerinput")
    parallel = config.pluginmanager.hasplugin("xdist") and not config.option.usepdb and not is_worker
    if whole and parallel and config.option.numprocesses is None and not config.option.collectonly:
        # Tests go to whoever is idle, so that one long file does not keep one worker busy alone.
        config.option.numprocesses, config.option.dist = workers(), "worksteal"


def workers() -> int:
    """Half as many again as there are cores: a third of the time a test waits for another program."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + (cores + 1) // 2


def pytest_collection_finish() -> None:
    """Keep the collected tests out of every later collection of garbage, a sixth of the whole run."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _same_terminal_everywhere() -> Iterator[None]:
    """Hide the terminal in which the tests are run: an application takes its first colours from it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TERM", "xterm")
        for name in ("COLORTERM", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES"):
            patch.delenv(name, raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_home_of_a_person(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Point every folder that a program may keep things in at an empty one, child processes included."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        for kind in ("CACHE", "CONFIG", "DATA", "STATE"):
            patch.setenv(f"XDG_{kind}_HOME", str(home / kind.lower()))
        patch.delenv("AFFRAY_CAMPAIGNS", raising=False)
        yield
