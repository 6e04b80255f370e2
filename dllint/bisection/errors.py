"""What stops a bisection, in words that tell what to do."""

from __future__ import annotations


class BisectionError(Exception):
    """A bisection that cannot go on; ``advice`` says what the user can do about it."""

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.advice = advice

    def __reduce__(self) -> tuple[type[BisectionError], tuple[str, str]]:
        return type(self), (str(self), self.advice)
