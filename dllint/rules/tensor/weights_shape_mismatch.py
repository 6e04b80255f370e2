"""DLT122: given weights have another shape than the layer's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final

from dllint.analysis.modules import elements
from dllint.domains.dim import differs
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, show_shape
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.events import LibraryCall
from dllint.ir.program import TensorVal
from dllint.ir.values import unwrap
from dllint.ops.sizes import whole_numbers
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted

_LAYER: Final = "keras.layers.Embedding"


class WeightsShapeMismatch(Rule[LibraryCall]):
    """Weights that are given to a layer have another shape than the layer's.

    ## What it finds
    `Embedding(rows, width, weights=[matrix])` where the matrix has other sizes; often the row for padding is missing.

    ## Why it is bad
    Building the layer raises.

    ## Bad
    ```python
    import numpy as np
    from keras.layers import Embedding

    vectors = np.zeros((1000, 50))
    layer = Embedding(1001, 50, weights=[vectors])  # error: [DLT122]
    ```

    ## Good
    ```python
    import numpy as np
    from keras.layers import Embedding

    vectors = np.zeros((1001, 50))
    layer = Embedding(1001, 50, weights=[vectors])
    ```

    ## When it stays silent
    Arrays that are not known, such as those of a file.
    ```python
    import numpy as np
    from keras.layers import Embedding

    layer = Embedding(1001, 50, weights=[np.load("vectors.npy")])
    ```

    ## References
    - Humbatova et al., ICSE 2020: wrong format of passed weights.
    """

    code = "DLT122"
    name = "weights-shape-mismatch"
    severity = Severity.WARNING
    confidence = Confidence.MEDIUM
    frameworks = ("keras",)
    topics: ClassVar[tuple[str, ...]] = ("event:call",)
    calls: ClassVar[tuple[str, ...]] = (_LAYER,)

    def check(self, item: LibraryCall, context: Context) -> Iterator[Finding]:
        """The matrix of an embedding against its declared sizes."""
        if item.name != _LAYER:
            return
        bound = {**item.bound, **item.unbound}
        sizes = (unwrap(bound.get("input_dim")), unwrap(bound.get("output_dim")))
        given = matrix(bound)
        if given is None or (declared := whole_numbers(sizes)) is None:
            return
        if len(given) != 2 or any(differs(g, d) for g, d in zip(given, declared, strict=True)):
            shapes = f"declares weights of shape {show_shape(declared)}, but is given {show_shape(given)}"
            message = f"{quoted(context.text(item.site.node))} {shapes}{context.condition_note(item)}"
            yield context.finding(self, item, message, advice="make the two equal")


def matrix(bound: dict[str, Any]) -> Shape | None:
    """The known shape of the single array in ``weights=[array]``."""
    extra = bound.get("kwargs")
    given = bound.get("weights", extra.get("weights") if isinstance(extra, dict) else None)
    members = elements(unwrap(given))
    value = unwrap(members[0]) if len(members) == 1 else None
    return value.shape if isinstance(value, TensorVal) and not isinstance(value.shape, Unknown) else None
