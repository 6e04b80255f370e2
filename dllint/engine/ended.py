"""How it is said that a signal ended the run; :mod:`dllint.engine.endings` raises it."""

from __future__ import annotations


class EndedError(BaseException):
    """The process was asked to end by a signal. Not an ``Exception``: nothing that goes on after errors may go on after it."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number
