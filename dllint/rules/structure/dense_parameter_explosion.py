"""DLS302: a dense layer behind flattened pictures has very many weights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.analysis.built_here import is_built_here, where_built
from dllint.analysis.dense_stacks import large
from dllint.domains.shape import show_shape
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.program import Op
from dllint.ops.kinds import having
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.rules.wording import operation

#: So many weights: 200 MB in single precision, and 600 MB more for their gradients and the two moments of Adam.
_LEAST: Final = 50_000_000


class DenseParameterExplosion(Rule[Op]):
    """A dense layer takes every position of a large feature map, which gives it very many weights.

    ## What it finds
    A dense layer with more than 50 million weights behind pictures or feature maps that are laid out in a row.

    ## Why it is bad
    The layer is larger than most whole networks: it takes gigabytes in training, is slow, and overfits.

    ## Bad
    ```python
    from keras import Input, Sequential
    from keras.layers import Conv2D, Dense, Flatten

    model = Sequential([Input((224, 224, 3)), Conv2D(32, 3, activation="relu"), Flatten()])
    model.add(Dense(128, activation="relu"))  # hint: [DLS302]
    ```

    ## Good
    ```python
    from keras import Input, Sequential
    from keras.layers import Conv2D, Dense, GlobalAveragePooling2D

    model = Sequential([Input((224, 224, 3)), Conv2D(32, 3, activation="relu"), GlobalAveragePooling2D()])
    model.add(Dense(128, activation="relu"))
    ```

    ## When it stays silent
    Layers of the vocabulary of a language model, which take one position each, and models of a library.
    ```python
    import torch
    from torch import nn
    from torchvision.models import vgg16

    scores = nn.Linear(1024, 100_000)(torch.randn(2, 16, 1024))
    known = vgg16()(torch.randn(2, 3, 224, 224))
    ```

    ## References
    - Humbatova et al., ICSE 2020: suboptimal network structure; Lin et al., "Network In Network", 2014: global pooling.
    """

    code = "DLS302"
    name = "dense-parameter-explosion"
    severity = Severity.HINT
    confidence = Confidence.HIGH
    topics: ClassVar[tuple[str, ...]] = tuple(f"op:{kind}" for kind in sorted(having(Trait.DENSE)))
    default = "hint"

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """A dense layer."""
        found = large(item, _LEAST)
        if found is None or item.doubtful or not is_built_here(item, context.facts):
            return
        where = where_built(item)
        applied = context.related(item, "it is applied here") if where is not item else None
        yield context.finding(
            self,
            where,
            f"{operation(item, context)} has {found.weights:,} weights: it takes all positions of {show_shape(found.taken)}"
            f"{context.condition_note(item)}",
            advice="pool the positions first, such as by global average pooling",
            related=[applied] if applied else [],
        )
