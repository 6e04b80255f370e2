"""The operations that a tensor is computed by, in the order in which they are performed."""

from __future__ import annotations

from collections.abc import Callable

from dllint.ir.program import Op, TensorVal


class Slice:
    """What ``value`` is computed by: ``ops`` in order, ``leaves`` at which a question (``stops``) ends the search, or that no
    operation of the program makes. ``cut_short``: there are more operations than ``most``."""

    def __init__(self, value: TensorVal, most: int, stops: Callable[[TensorVal], bool] = lambda value: False) -> None:
        self.value = value
        self.ops: list[Op] = []
        self.leaves: list[TensorVal] = []
        self.cut_short = False
        self._follow(value, most, stops)

    def _follow(self, value: TensorVal, most: int, stops: Callable[[TensorVal], bool]) -> None:
        """Operands before the operations that take them, without recursion."""
        seen: set[int] = set()
        entered: set[int] = set()
        todo = [value]
        while todo:
            current = todo.pop()
            maker = current.producer
            if maker is None or stops(current):
                if current.id not in seen:
                    seen.add(current.id)
                    self.leaves.append(current)
            elif id(maker) in entered:
                if id(maker) not in seen:
                    seen.add(id(maker))
                    self.ops.append(maker)
            elif len(entered) >= most:
                self.cut_short = True
                return
            else:
                entered.add(id(maker))
                todo.append(current)
                todo.extend(maker.inputs)
