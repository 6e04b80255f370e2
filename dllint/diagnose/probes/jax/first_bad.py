"""The first operation whose result is not finite: a step's function is traced, and run operation by operation."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, Literal

from dllint.diagnose.places import SourcePlace, place_in_trace
from dllint.diagnose.probes.bad_operation import BadOperation
from dllint.diagnose.probes.tensor_numbers import stats_of_array

#: What puts infinities into arrays on purpose, or only passes on what it is given.
_DELIBERATE: Final = {"broadcast_in_dim", "select_n", "convert_element_type", "reshape", "concatenate", "squeeze", "pad"}
#: Operations that are nothing but the function in one of these parameters, with the same arguments.
_CALLS: Final = {"jit", "pjit", "closed_call", "core_call", "custom_jvp_call", "custom_vjp_call", "checkpoint", "remat"}
_BODIES: Final = ("jaxpr", "call_jaxpr", "fun_jaxpr")

Values = Sequence[Any]


class FirstBad:
    """Follows values that are not finite back to the operations that made them. ``is_module`` knows the names of layers, which
    operations carry in their scopes."""

    def __init__(self, is_module: Callable[[str], bool]) -> None:
        self._is_module = is_module
        self._phase = ""

    def of(self, compute: Callable[[], Any], *, backward: bool) -> BadOperation | None:
        """The operation that the first bad result of a function comes from: a loss, or with ``backward`` a loss and its
        gradients. Gradients begin with factors that JAX computes along with the forward pass."""
        self._phase = "backward" if backward else "forward"
        origins = self._run(jax.make_jaxpr(compute)(), (), None)
        return next((origin for origin in origins if origin is not None), None) if backward else next(iter(origins), None)

    def _run(self, traced: ClosedJaxpr, given: Values, caller: Any) -> list[BadOperation | None]:
        """Run a traced function; the origins of its results. What a cached function was traced at is not where it is called:
        its operations are told at the operation that ``caller`` is."""
        body = traced.jaxpr
        values = dict(zip([*body.constvars, *body.invars], [*traced.consts, *given], strict=True))
        origins: dict[Any, BadOperation] = {}
        for operation in body.eqns:
            inputs = [value.val if isinstance(value, Literal) else values[value] for value in operation.invars]
            outputs = _apply(operation, inputs)
            values.update(zip(operation.outvars, outputs, strict=True))
            known = next((origins[v] for v in operation.invars if not isinstance(v, Literal) and v in origins), None)
            origin = self._origin(operation, inputs, outputs, known, caller or operation)
            if origin is not None:
                origins.update((v, origin) for v, value in zip(operation.outvars, outputs, strict=True) if _is_bad(value))
        return [None if isinstance(v, Literal) else origins.get(v) for v in body.outvars]

    def _origin(
        self, operation: Any, inputs: Values, outputs: Values, known: BadOperation | None, equation: Any
    ) -> BadOperation | None:
        bad = [value for value in outputs if _is_bad(value)]
        if not bad or known is not None:
            return known
        given = [np.asarray(value, dtype=np.float32) for value in inputs if _is_float(value)]
        if not (all(np.isfinite(array).all() for array in given) or _makes_nan(given, bad)):
            return None
        kind = operation.primitive.name
        called = next((operation.params[name] for name in _BODIES if name in operation.params), None)
        if kind in _CALLS and called is not None:
            closed = called if isinstance(called, ClosedJaxpr) else ClosedJaxpr(called, ())
            return next((found for found in self._run(closed, inputs, equation) if found is not None), None)
        return self._describe(kind, given, bad, equation) if kind not in _DELIBERATE else None

    def _describe(self, kind: str, given: Values, bad: Values, equation: Any) -> BadOperation:
        scopes = str(equation.source_info.name_stack)
        value = "nan" if any(np.isnan(np.asarray(array, dtype=np.float32)).any() for array in bad) else "inf"
        return BadOperation(kind, self._phase, value, _place(equation), self._module(scopes), tuple(map(stats_of_array, given)))

    def _module(self, scopes: str) -> str | None:
        """The innermost scope that is named like a layer."""
        return next((name for name in reversed(re.findall(r"[\w.\-]+", scopes)) if self._is_module(name)), None)


def _apply(operation: Any, inputs: Values) -> list[Any]:
    found = operation.primitive.get_bind_params(operation.params)
    # In older versions of JAX functions stand apart from the other parameters.
    functions, settings = found if isinstance(found, tuple) else ((), found)
    result = operation.primitive.bind(*functions, *inputs, **settings)
    return list(result) if operation.primitive.multiple_results else [result]


def _place(operation: Any) -> SourcePlace | None:
    traceback = operation.source_info.traceback
    return place_in_trace(*traceback.raw_frames()) if traceback is not None else None


def _is_float(value: Any) -> bool:
    return bool(jax.numpy.issubdtype(jax.numpy.result_type(value), jax.numpy.floating))


def _is_bad(value: Any) -> bool:
    return _is_float(value) and not bool(np.isfinite(np.asarray(value, dtype=np.float32)).all())


def _makes_nan(given: Values, bad: Values) -> bool:
    return any(np.isnan(np.asarray(array)).any() for array in bad) and not any(np.isnan(array).any() for array in given)
