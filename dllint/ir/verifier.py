"""What every traced program satisfies; run by tests and by ``dllint ir --verify``."""

from __future__ import annotations

from collections.abc import Iterator

from dllint.ir.program import Op, Program, TensorVal


def problems(program: Program) -> list[str]:
    """Everything that is wrong with a program, in words; empty for a valid one."""
    return list(_problems(program))


def _problems(program: Program) -> Iterator[str]:
    defined: set[int] = set()
    for op in program.ops:
        for value in op.inputs:
            if value.producer is not None and value.id not in defined and _belongs(value, program):
                yield f"{op.kind}: %{value.id} is used before {value.producer.kind} defines it"
        for number, value in enumerate(op.outputs):
            if value.producer is not op:
                yield f"{op.kind}: output {number} names another producer"
            if value.id in defined:
                yield f"{op.kind}: %{value.id} is defined twice"
            defined.add(value.id)
        if op.site.document is None or op.site.node is None:
            yield f"{op.kind}: it has no place in the source"


def _belongs(value: TensorVal, program: Program) -> bool:
    """Whether a value's producer is of this program; what an earlier entry made is an input of this one."""
    producer: Op | None = value.producer
    return any(item is producer for item in program.trace)
