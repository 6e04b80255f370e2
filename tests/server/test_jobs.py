"""The order of work in the analysis process."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.server.jobs import Cancelled, Jobs
from dllint.server.messages import Asked, Buffer, Check, Closed, Configure, Prove, Touched

A, B = Path("a.py"), Path("b.py")


@pytest.fixture
def superseded():
    return []


@pytest.fixture
def jobs(superseded):
    return Jobs(superseded.append)


def test_news_come_first_then_questions_about_fixes_then_the_latest_check(jobs):
    messages = [Asked(1, Check(A)), Asked(2, Check(B)), Asked(3, Prove(A, 1, (0,))), Touched((B,)), Configure(())]
    for message in messages:
        jobs.put(message)
    assert [jobs.take() for _ in messages] == [messages[3], messages[4], messages[2], messages[1], messages[0]]


def test_a_second_check_takes_the_place_of_the_first(jobs, superseded):
    jobs.put(Asked(1, Check(A)))
    jobs.put(Asked(2, Check(A)))
    assert jobs.take() == Asked(2, Check(A))
    assert superseded == [1]


def test_an_edit_makes_checks_pointless(jobs, superseded):
    jobs.put(Asked(1, Check(A)))
    jobs.put(Asked(2, Check(B)))
    jobs.put(Buffer(A, 2, ""))
    assert superseded == [1]
    assert [jobs.take(), jobs.take()] == [Buffer(A, 2, ""), Asked(2, Check(B))]


@pytest.mark.parametrize("news", [Buffer(A, 2, ""), Closed(A), Configure(()), Asked(2, Check(A))])
def test_work_that_has_become_pointless_ends_at_the_next_checkpoint(jobs, news):
    jobs.put(Asked(1, Check(A)))
    jobs.take()
    jobs.checkpoint()
    jobs.put(news)
    with pytest.raises(Cancelled):
        jobs.checkpoint()
    jobs.take()
    jobs.checkpoint()


@pytest.mark.parametrize("news", [Buffer(B, 2, ""), Touched((A,)), Asked(2, Check(B))])
def test_work_on_other_files_goes_on(jobs, news):
    jobs.put(Asked(1, Check(A)))
    jobs.take()
    jobs.put(news)
    jobs.checkpoint()


def test_the_end_ends_the_running_work(jobs):
    jobs.put(Asked(1, Check(A)))
    jobs.take()
    jobs.close()
    with pytest.raises(Cancelled):
        jobs.checkpoint()
    assert jobs.take() is None


def test_quiet_is_when_nothing_comes(jobs):
    assert jobs.is_quiet(0.01)
    jobs.put(Touched((A,)))
    assert not jobs.is_quiet(0.01)
