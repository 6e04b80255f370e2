"""The first item about a subject in a log, whatever was added and cut off in between."""

from __future__ import annotations

import random
from operator import itemgetter

from dllint.lower.recording import RecordedLog
from dllint.lower.state import Log


def test_first_is_that_of_a_search() -> None:
    draw = random.Random(5)
    subjects = [object() for _ in range(6)]
    for log in (Log(), RecordedLog()):
        items: list[tuple[object, int]] = []
        for number in range(2_000):
            if draw.random() < 0.1:
                keep = draw.randint(0, len(items))
                again = items[keep + 1 :] if draw.random() < 0.5 else []  # as many as before but one, the last ones the same
                items[keep:] = again
                log.cut(keep)
                log.extend(again)
            elif draw.random() < 0.5:
                items.append((draw.choice(subjects), number))
                log.append(items[-1])
            wanted = draw.choice(subjects)
            expected = next((item for item in items if item[0] is wanted), None)
            assert log.first(wanted, itemgetter(0)) is expected


def test_all_questions_look_at_each_item_once() -> None:
    looked: list[int] = []
    log: Log[int] = Log()
    for number in range(500):
        log.append(number)
        assert log.first(object(), lambda item: looked.append(item)) is None
    assert looked == list(range(500))
