"""SIGTERM during a run: who watches reports, and processes that the program forks end as they always did."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time

import pytest

from dllint.diagnose import termination
from dllint.diagnose.limits import Ending, Stopped
from dllint.diagnose.termination import last_report

FORKING = multiprocessing.get_context("fork")


@pytest.fixture
def ending():
    def give_up(reason: str) -> None:
        pytest.fail(f"given up: {reason}")

    ending = Ending(give_up)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    with last_report(ending, give_up):
        yield ending
    if ending.reason is not None:
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_it_ends_the_program(ending):
    with pytest.raises(Stopped, match="terminated"):
        os.kill(os.getpid(), signal.SIGTERM)
    assert ending.reason == "terminated"


def terminated() -> int | None:
    child = FORKING.Process(target=time.sleep, args=(60,))
    child.start()
    child.terminate()
    child.join()
    return child.exitcode


def test_children_end_by_it_at_once_and_their_parent_goes_on(ending, monkeypatch):
    monkeypatch.setattr(termination, "_GRACE", 0.0)
    codes = [terminated() for _ in range(10)]
    thread = threading.Thread(target=lambda: codes.append(terminated()))
    thread.start()
    thread.join()
    assert codes == [-signal.SIGTERM] * 11
    assert ending.reason is None
    assert signal.SIGTERM not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_a_handler_of_the_program_is_left_alone(ending):
    handled: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, frame: handled.append(number))
    os.kill(os.getpid(), signal.SIGTERM)
    signal.signal(signal.SIGTERM, before)
    assert (handled, ending.reason) == ([signal.SIGTERM], None)
