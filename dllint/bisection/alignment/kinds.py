"""One name for the kinds of operators that libraries and formats name differently."""

from __future__ import annotations

import re
from typing import Final

_SAME: Final = {
    "matmul": "gemm linear addmm mm bmm dense fullyconnected fusedmatmul fusedgemm matmulinteger matmulintegertofloat "
    "qlinearmatmul baddbmm einsumdense batchmatmul",
    "conv": "convolution fusedconv qlinearconv convinteger separableconv",
    "depthwiseconv": "depthwiseconvnative",
    "batchnorm": "batchnormalization nativebatchnorm nativebatchnormlegitnotraining",
    "layernorm": "layernormalization nativelayernorm skiplayernormalization simplifiedlayernormalization",
    "softmax": "safesoftmax",
    "gelu": "fastgelu biasgelu quickgelu",
    "sigmoid": "logistic",
    "maxpool": "maxpooling",
    "avgpool": "averagepool averagepooling",
    "mean": "globalaveragepool adaptiveavgpool reducemean globalaveragepooling",
    "gather": "embedding take",
    "resize": "upsample upsamplebilinear upsamplenearest interpolate upsampling resizebilinear",
    "cat": "concat concatenate concatenation concattrainable",
    "transpose": "permute t",
    "reshape": "view flatten unsafeview squeeze unsqueeze expanddims",
    "sub": "subtract",
    "mul": "multiply",
    "div": "divide truediv",
    "add": "biasadd",
    "slice": "stridedslice select",
    "sum": "reducesum",
    "attention": "scaleddotproductattention multiheadattention",
}
_FAMILY: Final = {name: kind for kind, names in _SAME.items() for name in names.split()}


def family(kind: str) -> str:
    """``conv2d``, ``Conv`` and ``aten::_convolution`` are one kind."""
    plain = re.sub(r"\dd|[^a-z]", "", kind.rpartition("::")[2].lower())
    return _FAMILY.get(plain, plain)
