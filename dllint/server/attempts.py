"""What the analysis does for an editor may fail in parts; the other parts are done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from dllint.config.errors import ConfigError
from dllint.engine.baseline import BaselineError
from dllint.engine.failing import described


@dataclass(slots=True)
class Attempts:
    """Blocks that may fail; of those that fail in the same way, the first is reported."""

    tell: Callable[[str], None]
    _notified: set[str] = field(default_factory=set)

    @contextmanager
    def attempt(self, what: str) -> Iterator[None]:
        """A block that ends where it fails. What is wrong with settings is not ours."""
        try:
            yield
        except (ConfigError, BaselineError):
            raise
        except Exception as error:
            self.notify(f"{what}: {described(error)}")

    def notify(self, text: str) -> None:
        """Report something, once."""
        if text not in self._notified:
            self._notified.add(text)
            self.tell(text)
