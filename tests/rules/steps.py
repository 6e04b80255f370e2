"""Expressions of torch that perform one operation on a tensor ``{x}`` of shape (4, 8) and hand on a tensor of that shape."""

from __future__ import annotations

from dllint.ops.kinds import having, having_any
from dllint.ops.traits import Trait

_METHODS = {
    "view": "view(4, 8)",
    "reshape": "reshape(4, 8)",
    "flatten": "flatten(1)",
    "unflatten": "unflatten(1, (8, 1)).flatten(1)",
    "ravel": "ravel().view(4, 8)",
    "unsqueeze": "unsqueeze(1).flatten(1)",
    "squeeze": "squeeze()",
    "contiguous": "contiguous()",
    "clone": "clone()",
    "detach": "detach()",
    "cast": "to(torch.float32)",
    "transpose": "transpose(0, 1).transpose(0, 1)",
    "permute": "permute(1, 0).permute(1, 0)",
    "movedim": "movedim(0, 1).movedim(0, 1)",
    "swapaxes": "swapaxes(0, 1).swapaxes(0, 1)",
    "t": "t().t()",
    "adjoint": "mT.mT",
    "flip": "flip(1)",
    "roll": "roll(1, 1)",
    "rot90": "rot90(2)",
    "sort": "sort(1)[0]",
    "expand": "expand(4, 8)",
    "expand_as": "expand_as(torch.ones(4, 8))",
    "broadcast_to": "broadcast_to((4, 8))",
    "repeat": "repeat(1, 1)",
    "tile": "tile(1, 1)",
    "repeat_interleave": "repeat_interleave(1, dim=1)",
    "getitem": "__getitem__(slice(None))",
    "index_select": "index_select(1, torch.arange(8))",
    "narrow": "narrow(1, 0, 8)",
    "gather": "gather(1, torch.zeros(4, 8, dtype=torch.long))",
    "take_along_dim": "take_along_dim(torch.zeros(4, 8, dtype=torch.long), 1)",
    "cumsum": "cumsum(1)",
    "add": "add(1.5)",
    "sub": "sub(1.5)",
    "mul": "mul(2.5)",
    "div": "div(2.5)",
    "pow": "pow(3)",
    "clamp": "clamp(-1, 1)",
    "nan_to_num": "nan_to_num()",
    "masked_fill": "masked_fill(torch.ones(4, 8) > 2, 0.5)",
    "matmul": "matmul(torch.ones(8, 8))",
}
_FUNCTIONS = {
    "getitem": "({x})[:, :]",
    "identity": "nn.Identity()({x})",
    "dropout": "nn.Dropout(0.3)({x})",
    "batch_norm": "nn.BatchNorm1d(8)({x})",
    "layer_norm": "nn.LayerNorm(8)({x})",
    "linear": "nn.Linear(8, 8)({x})",
    "normalize": "F.normalize({x}, dim=1)",
    "log_softmax": "F.log_softmax({x}, dim=1)",
    "prelu": "nn.PReLU()({x})",
    "where": "torch.where(torch.ones(4, 8) > 0, {x}, torch.zeros(4, 8))",
    "cat": "torch.cat([{x}], dim=1)",
    "rearrange": "einops.rearrange({x}, 'b c -> b c')",
    "from_numpy": "torch.from_numpy({x}.detach().numpy())",
}
_PLAIN = having(Trait.KEEPS_SHAPE | Trait.POINTWISE) - having_any(Trait.TRUTH | Trait.TAKES_DATA) - {
    *_METHODS, *_FUNCTIONS, "cast", "bitwise_not", "rescale", "sinc", "acosh", "hardtanh", "threshold", "softmin",
}  # fmt: skip
_OF_FUNCTIONAL = frozenset({
    "relu6", "leaky_relu", "elu", "selu", "celu", "gelu", "silu", "mish", "softplus", "softsign", "softshrink", "hardshrink",
    "tanhshrink", "hardsigmoid", "hardswish", "logsigmoid",
})  # fmt: skip
#: Operation → the expression that performs it.
STEPS: dict[str, str] = {
    **{op: f"F.{op}({{x}})" if op in _OF_FUNCTIONAL else f"torch.{op}({{x}})" for op in sorted(_PLAIN)},
    **{op: f"({{x}}).{method}" for op, method in _METHODS.items()},
    **_FUNCTIONS,
}
#: Those of them that work element by element, for tensors of any shape.
ELEMENTWISE = {op: step for op, step in STEPS.items() if op in having(Trait.POINTWISE | Trait.KEEPS_SHAPE) - {"masked_fill"}}
#: Operation → the layer of Keras that performs it on ``{x}`` of any shape.
KERAS_LAYERS = {
    "identity": "layers.Identity()({x})",
    "dropout": "layers.Dropout(0.3)({x})",
    "batch_norm": "layers.BatchNormalization()({x})",
    "layer_norm": "layers.LayerNormalization()({x})",
    "rms_norm": "layers.RMSNormalization()({x})",
    "relu": "layers.ReLU()({x})",
    "leaky_relu": "layers.LeakyReLU()({x})",
    "elu": "layers.ELU()({x})",
    "softmax": "layers.Softmax()({x})",
    "tanh": "layers.Activation('tanh')({x})",
    "sigmoid": "layers.Activation('sigmoid')({x})",
    "rescale": "layers.Rescaling(0.5)({x})",
    "linear": "layers.Dense(8)({x})",
    "repeat_vector": "layers.RepeatVector(20)({x})",
    "unsqueeze": "layers.Reshape((1, 8))({x})",
}
