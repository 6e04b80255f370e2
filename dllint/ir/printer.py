"""The stable text form of a traced program: one operation per line.

%3: f32[B, 16, 14, 14] = conv(%2, in_channels=8, kernel_size=3)  # net.py:12:17 Net.forward
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType, show_type
from dllint.ir.events import TRAINING, ContextEdge, Edge, TrainingEvent
from dllint.ir.program import Event, Op, Program, Site, TensorVal
from dllint.ir.values import InstanceVal, LibSymbol, SliceVal, Value
from dllint.source.neutral import neutral

#: The events that are always printed.
_PRINTED = (*TRAINING, ContextEdge)


class Printer:
    """Prints programs; values are numbered in the order in which they appear, so that the text does not depend on what
    was analysed before. The events of training are printed between the operations; ``places`` adds file, line and scope;
    ``with_events`` prints all events; ``place`` says how a place is written; ``note`` gives what is to be told about a
    result beside its type."""

    def __init__(
        self,
        places: bool = True,
        with_events: bool = False,
        place: Callable[[Site], str] | None = None,
        note: Callable[[TensorVal], str] | None = None,
    ) -> None:
        self._numbers: dict[int, int] = {}
        self._places = places
        self._events = with_events
        self._written = place if place is not None else place_text
        self._note = note

    def program(self, program: Program) -> str:
        """The text of one program, ending with a newline."""
        return "\n".join(self._lines(program)) + "\n"

    def _lines(self, program: Program) -> Iterator[str]:
        inputs = ", ".join(f"{self._name(v)}: {show_type(v.type)}" for v in program.inputs)
        yield f"program {program.entry}({inputs})"
        for item in program.trace:
            if isinstance(item, Op):
                yield f"  {self.op(item)}"
            elif self._events or isinstance(item, _PRINTED):
                yield f"  ; {item.kind}{self._detail(item)}{self._place(item)}"

    def _detail(self, event: Event) -> str:
        """What an event of training is about."""
        if isinstance(event, Edge):
            return f" {event.phase} {event.name}" if isinstance(event, ContextEdge) else f" {event.phase}"
        if not isinstance(event, TrainingEvent):
            return ""
        detail = event.target.detail if isinstance(event.target, Unknown) else ""
        return f" {detail or self._value(event.target)}"

    def op(self, op: Op) -> str:
        """One operation."""
        arguments = ", ".join(
            self._argument(name, value) for name, value in op.args.items() if not self._left_out(op, name, value)
        )
        outputs = ", ".join(f"{self._name(v)}: {show_type(v.type)}{self._noted(v)}" for v in op.outputs)
        faults = "".join(f" !{fault.kind}" for fault in op.faults)
        return f"{outputs}{' = ' if outputs else ''}{op.kind}({arguments}){faults}{self._place(op)}"

    def _noted(self, value: TensorVal) -> str:
        return f" {self._note(value)}" if self._note is not None else ""

    def _left_out(self, op: Op, name: str, value: Value) -> bool:
        return value is None or name in op.defaulted

    def _argument(self, name: str, value: Value) -> str:
        text = self._value(value)
        return text if name == "x" and isinstance(value, TensorVal) else f"{name}={text}"

    def _value(self, value: Value) -> str:
        if isinstance(value, TensorVal):
            return self._name(value)
        if isinstance(value, tuple):
            return f"({', '.join(map(self._value, value))}{',' if len(value) == 1 else ''})"
        if isinstance(value, SliceVal):
            return ":".join(
                "" if part is None else self._value(part) for part in (value.start, value.stop, value.step)
            ).removesuffix(":")
        if isinstance(value, Unknown):
            return "?"
        if isinstance(value, TensorType):
            return show_type(value)
        if isinstance(value, LibSymbol):
            return value.name
        if isinstance(value, InstanceVal):
            return f"<{getattr(value.cls, 'name', '?')}>"
        return repr(value) if isinstance(value, (str, bytes, int, float, complex, bool)) or value is ... else _plain(value)

    def _name(self, value: TensorVal) -> str:
        return f"%{self._numbers.setdefault(value.id, len(self._numbers) + 1)}"

    def _place(self, item: Op | Event) -> str:
        if not self._places:
            return ""
        return f"  # {neutral(self._written(item.site))} {neutral(item.scope)}".rstrip()


def _plain(value: Value) -> str:
    text = repr(value)
    return text if len(text) <= 40 and "object at" not in text else f"<{type(value).__name__}>"


def place_text(site: Site) -> str:
    """``net.py:12:17``."""
    try:
        first = site.document.span(site.statement, site.node).first
    except (LookupError, AttributeError):
        return str(getattr(site.document.path, "name", "?"))
    return f"{site.document.path.name}:{first.line}:{first.column}"
