"""Runs the server with rules that misbehave. The analysis process imports this file again, as every started program is."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from typing import Any

from dllint.engine import registry


class Misbehaving:
    """Stands in front of a rule: prints, raises, hangs or dies before the rule is asked, as the environment says."""

    def __init__(self, code: str, deed: str) -> None:
        self._rule = registry.rule(code)
        self._deed = deed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rule, name)

    def check(self, item: Any, context: Any) -> Iterator[Any]:
        if self._deed == "print":
            print("Content-Length: 1\r\n\r\nfrom a rule")
            sys.stdout.flush()
            os.system("echo from a child process")
            os.write(1, b"straight to the descriptor\n")
        elif self._deed == "raise":
            raise RuntimeError("a faulty rule")
        elif self._deed == "die":
            os._exit(9)
        elif self._deed == "hang":
            time.sleep(1000)
        return self._rule.check(item, context)


for _code, _deed in (pair.split(":") for pair in os.environ["MISBEHAVING"].split(",")):
    registry._LOADED[_code] = Misbehaving(_code, _deed)  # type: ignore[assignment]


if __name__ == "__main__":
    from dllint.server import checking

    checking.LONGEST_CHECK = 10.0  # type: ignore[misc]
    from dllint.cli.main import main

    main()
