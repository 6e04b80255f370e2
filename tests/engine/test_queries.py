"""The memo: nothing is computed twice, and nothing out of date is handed out."""

from __future__ import annotations

import pytest

from dllint.engine.queries import Memo


class Program:
    """Two chunks, each summed by a query, and a query over both sums; ``log`` says what was computed."""

    def __init__(self) -> None:
        self.memo = Memo()
        self.log: list[str] = []
        self.write(a=[1, 2], b=[3])

    def write(self, **chunks: list[int]) -> None:
        for name, numbers in chunks.items():
            self.memo.set_input(name, numbers, tuple(numbers))

    def sum(self, name: str) -> int:
        return self.memo.query(("sum", name), lambda: self._sum(name), fingerprint=lambda value: value)

    def _sum(self, name: str) -> int:
        self.log.append(name)
        return sum(self.memo.input(name) or [])

    def total(self) -> int:
        return self.memo.query("total", self._total)

    def _total(self) -> int:
        self.log.append("total")
        return self.sum("a") + self.sum("b")


def test_the_same_question_is_computed_once():
    program = Program()
    assert (program.total(), program.total()) == (6, 6)
    assert program.log == ["total", "a", "b"]


def test_only_what_read_the_change_is_computed_again():
    program = Program()
    program.total()
    program.log.clear()
    program.write(b=[4])
    assert program.sum("a") == 3
    assert program.log == []
    assert program.total() == 7
    assert program.log == ["b", "total"]


def test_an_answer_that_stays_the_same_invalidates_nothing():
    program = Program()
    program.total()
    program.log.clear()
    program.write(a=[2, 1])
    assert program.total() == 6
    assert program.log == ["a"]


def test_an_input_set_to_the_same_value_changes_nothing():
    program = Program()
    program.total()
    program.write(a=[1, 2])
    assert program.memo.is_fresh("total")


def test_a_dropped_input_is_noticed():
    program = Program()
    program.total()
    program.memo.drop_input("b")
    assert not program.memo.is_fresh("total")
    assert program.total() == 3


def test_a_query_that_fails_is_not_stored_and_records_nothing():
    memo = Memo()

    def fail():
        raise ValueError("no")

    for _ in range(2):
        with pytest.raises(ValueError, match="no"):
            memo.query("bad", fail)
    assert memo.query("good", lambda: 1) == 1


def test_a_forgotten_answer_is_computed_anew():
    program = Program()
    program.sum("a")
    program.memo.forget(("sum", "a"))
    program.sum("a")
    assert program.log == ["a", "a"]


def test_an_input_that_an_answer_reads_later_counts_for_those_who_ask():
    memo = Memo()
    memo.set_input("which", "a", "a")
    memo.set_input("a", 1, 1)
    memo.set_input("b", 1, 1)

    def chosen() -> int:
        return memo.query("chosen", lambda: memo.input(memo.input("which")), fingerprint=lambda value: value)

    def doubled() -> int:
        return memo.query("doubled", lambda: 2 * chosen())

    assert doubled() == 2
    memo.set_input("which", "b", "b")  # the answer is the same, and rests on another input
    assert doubled() == 2
    memo.set_input("a", 5, 5)
    assert doubled() == 2
    memo.set_input("b", 7, 7)
    assert doubled() == 14


def test_an_answer_is_not_looked_through_when_something_else_has_changed():
    program = Program()
    program.total()
    asked = []
    program.memo._current = asked.append
    program.memo.set_input("other", 1, 1)
    assert program.total() == 6
    assert asked == []
