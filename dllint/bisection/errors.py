"""What stops a bisection, in words that say what to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class BisectionError(Exception):
    """A bisection that cannot go on; ``advice`` says what the user can do about it."""

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.advice = advice

    def __reduce__(self) -> tuple[type[BisectionError], tuple[str, str]]:
        return type(self), (str(self), self.advice)


@contextmanager
def wrapped_errors(what: str, advice: str = "") -> Iterator[None]:
    """Whatever a user's code, model or runtime raises inside becomes a :class:`BisectionError` that begins with ``what``."""
    try:
        yield
    except BisectionError:
        raise
    except Exception as error:
        first = next(iter(str(error).splitlines()), "")[:300]
        raise BisectionError(f"{what} raised {type(error).__name__}: {first}", advice) from error
