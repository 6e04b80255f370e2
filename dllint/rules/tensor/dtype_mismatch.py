"""DLT117: element types meet that the library refuses to combine."""

from __future__ import annotations

from typing import ClassVar

from dllint.analysis.changed_types import refusing_releases
from dllint.domains.dtype import DType
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Releases, Severity
from dllint.fixes.boundary import offering
from dllint.fixes.operations import convert_argument
from dllint.ir.program import Fault, Op
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.fault_rule import FaultRule
from dllint.rules.offers import offer
from dllint.rules.places import called_directly
from dllint.rules.tensor.operator_shape_incompatible import CLASS_INDEX_LOSSES
from dllint.rules.wording import operand, operation, size

#: Functions that change the type of new floating-point tensors and weights.
_DEFAULTS = ("set_default_dtype", "set_default_tensor_type")


class DtypeMismatch(FaultRule):
    """Element types meet that the library refuses to combine.

    ## What it finds
    A float64 tensor (numpy's default) or an integer tensor in a layer with float32 weights, non-integer indices in an
    embedding or gather, an integer target in a binary cross-entropy.

    ## Why it is bad
    The operation raises: PyTorch promotes types in arithmetic, but never in matrix products, convolutions and most losses.

    ## Bad
    ```python
    import numpy as np
    import torch
    from torch import nn

    fc = nn.Linear(4, 2)
    x = torch.from_numpy(np.random.rand(8, 4))
    y = fc(x)  # error: [DLT117]
    ```

    ## Good
    ```python
    import numpy as np
    import torch
    from torch import nn

    fc = nn.Linear(4, 2)
    x = torch.from_numpy(np.random.rand(8, 4)).float()
    y = fc(x)
    ```

    ## When it stays silent
    A conversion on the path, a model in double precision, or a type that is not known.
    ```python
    import numpy as np
    import torch
    from torch import nn

    fc = nn.Linear(4, 2).double()
    y = fc(torch.from_numpy(np.random.rand(8, 4)))
    ```

    ## References
    - Humbatova et al., ICSE 2020: incompatible tensor type; wrong type of input data.
    - Schoop et al., UMLAUT: input not floating point.
    """

    code = "DLT117"
    name = "dtype-mismatch"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.SAFE
    topics: ClassVar[tuple[str, ...]] = ("fault:dtype", "fault:target-dtype")

    def concerns(self, op: Op, fault: Fault, context: Context) -> bool:
        """Cross-entropy targets are DLL109's; the type of an entry's input is a guess; so is every floating-point width
        where the document changes torch's default."""
        if fault.kind == "target-dtype" and op.kind in CLASS_INDEX_LOSSES:
            return False
        if between_floats(fault) and any(name in context.document.text for name in _DEFAULTS):
            return False
        tensor = operand(op, fault.operand)
        return tensor is None or not any(tensor is given for given in context.program.inputs)

    def releases(self, op: Op, fault: Fault) -> Releases | None:
        """Those since the operand, or the result that is written to it, is of the type that is refused."""
        return refusing_releases(op, fault, operand(op, fault.operand or "x"))

    def place(self, op: Op, fault: Fault) -> Op:
        """Labels are declared with a wrong type where their placeholder is."""
        tensor = operand(op, fault.operand) if fault.operand == "target" else None
        maker = tensor.producer if tensor is not None else None
        return maker if does(maker, Trait.PLACEHOLDER) else op

    def message(self, op: Op, fault: Fault, context: Context) -> str:
        """Both types."""
        role = "its input" if fault.operand in ("", "x") else f"`{fault.operand}`"
        detail = f" ({fault.detail})" if fault.detail else ""
        wanted, given = size(fault.expected), size(fault.actual)
        return f"{operation(op, context)} needs {wanted}, but {role} is {given}{detail}"

    def advice(self, op: Op, fault: Fault, context: Context) -> str:
        """The conversion."""
        return remedy(fault, op)

    @offering
    def fixes(self, op: Op, fault: Fault, context: Context) -> list[Fix]:
        """The argument is converted where it is passed."""
        position = {"": 0, "x": 0, "target": 1}.get(fault.operand)
        method = conversion(fault).strip("`.").removesuffix("()")
        if position is None or "(" in method or op.framework != "torch" or not called_directly(op, context):
            return []
        return offer(context, f"Convert with .{method}()", convert_argument(op, position, method), Applicability.SAFE)


def between_floats(fault: Fault) -> bool:
    """Whether two widths of floating point meet."""
    return all(isinstance(d, DType) and d.kind == "float" for d in (fault.expected, fault.actual))


def remedy(fault: Fault, op: Op) -> str:
    """The conversion of the type, in the library's terms."""
    given = fault.actual
    if isinstance(given, DType) and given.kind == "string":
        return "encode the text as numbers first"
    if op.framework == "tensorflow":
        name = fault.expected.name if isinstance(fault.expected, DType) else str(fault.expected)
        return f"convert it with `tf.cast(…, tf.{name})`"
    return f"convert it with {conversion(fault)}"


def conversion(fault: Fault) -> str:
    """The method that makes the expected type."""
    name = fault.expected.name if isinstance(fault.expected, DType) else str(fault.expected)
    return f"`{CONVERSIONS.get(name, f'.to(torch.{name})')}`"


CONVERSIONS = {
    "float32": ".float()",
    "float": ".float()",
    "float64": ".double()",
    "float16": ".half()",
    "int64": ".long()",
    "int": ".long()",
    "integer": ".long()",
    "an integer type": ".long()",
    "a floating-point type": ".float()",
    "bool": ".bool()",
}
