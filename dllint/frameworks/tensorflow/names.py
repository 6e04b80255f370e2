"""One canonical name for the spellings of a TensorFlow function, from 0.6 to 2.x.

``tf.compat.v1.log``, ``tf.log`` and ``tensorflow.python.ops.math_ops.log`` are all ``tensorflow.math.log``. That a spelling
no longer exists is known from the source, not from the canonical name.
"""

from __future__ import annotations

from typing import Final

from dllint.frameworks.tensorflow.renames import ANCIENT, MOVED

#: Module → the module that has its names today, or had them last. Longest first.
MODULES: Final = {
    "compat.v1": "",
    "compat.v2": "",
    **{f"python.ops.{module}": "" for module in (
        "array_ops", "math_ops", "control_flow_ops", "init_ops", "variable_scope", "variables", "random_ops", "clip_ops",
        "check_ops", "functional_ops", "gen_array_ops", "gen_math_ops", "tensor_array_ops", "state_ops", "special_math_ops",
        "map_fn", "script_ops", "gradients_impl", "gradients",
    )},
    **{f"python.framework.{module}": "" for module in ("ops", "dtypes", "constant_op", "tensor_shape")},
    "python.framework": "",
    **{f"python.ops.{module}": "nn" for module in ("nn", "nn_ops", "nn_impl", "embedding_ops", "gen_nn_ops", "rnn", "losses")},
    "python.ops.image_ops": "image",
    "python.ops.linalg_ops": "linalg",
    "python.ops.rnn_cell_impl": "nn.rnn_cell",
    "python.ops.rnn_cell": "nn.rnn_cell",
    "python.ops.seq2seq": "contrib.legacy_seq2seq",
    "python.ops": "",
    "python.layers.core": "layers",
    "python.layers.convolutional": "layers",
    "python.layers.normalization": "layers",
    "python.layers.pooling": "layers",
    "python.training": "train",
    "python.summary": "summary",
    "python.platform": "",
    "models.rnn.rnn_cell": "nn.rnn_cell",
    "models.rnn.rnn": "nn",
    "models.rnn.seq2seq": "contrib.legacy_seq2seq",
    "nn.seq2seq": "contrib.legacy_seq2seq",
    "contrib.rnn.python.ops.rnn_cell": "nn.rnn_cell",
    "contrib.rnn.python.ops.core_rnn_cell": "nn.rnn_cell",
    "contrib.rnn.python.ops.core_rnn": "nn",
    "contrib.rnn": "nn.rnn_cell",
    "contrib.slim": "contrib.layers",
    "contrib.layers.python.layers.layers": "contrib.layers",
    "contrib.layers.python.layers": "contrib.layers",
    "contrib.layers.python.ops": "contrib.layers",
    "contrib.framework.python.ops": "contrib.framework",
    "contrib.seq2seq.python.ops": "contrib.seq2seq",
    "contrib.image": "image",
    "contrib.summary": "summary",
    "contrib.data": "data",
    "data.experimental": "data",
    "summary.experimental": "summary",
}  # fmt: skip

#: Names whose home is another than their module's.
HOMES: Final = {
    **{f"nn.rnn_cell.{name}": f"nn.{name}" for name in (
        "static_rnn", "static_bidirectional_rnn", "dynamic_rnn", "bidirectional_dynamic_rnn", "rnn", "bidirectional_rnn",
        "stack_bidirectional_dynamic_rnn",
    )},
    "nn.rnn": "nn.static_rnn",
    "nn.bidirectional_rnn": "nn.static_bidirectional_rnn",
    **{f"contrib.layers.{name}": f"contrib.framework.{name}" for name in (
        "arg_scope", "add_arg_scope", "variable", "model_variable", "get_model_variables", "get_variables",
        "get_variables_to_restore", "get_or_create_global_step", "create_global_step", "get_global_step", "local_variable",
    )},
    "contrib.framework.get_or_create_global_step": "train.get_or_create_global_step",
    "contrib.framework.create_global_step": "train.get_or_create_global_step",
    "contrib.framework.get_global_step": "train.get_or_create_global_step",
    **{f"contrib.layers.{alias}": f"contrib.layers.{name}" for alias, name in (
        ("convolution2d", "conv2d"), ("convolution", "conv2d"), ("convolution2d_transpose", "conv2d_transpose"),
        ("separable_convolution2d", "separable_conv2d"), ("linear", "fully_connected"), ("relu", "fully_connected"),
        ("relu6", "fully_connected"), ("convolution2d_in_plane", "conv2d_in_plane"), ("convolution1d", "conv1d"),
        ("convolution3d", "conv3d"),
    )},
    **{f"layers.{alias}": f"layers.{name}" for alias, name in (
        ("Convolution2D", "Conv2D"), ("Convolution1D", "Conv1D"), ("MaxPool2D", "MaxPooling2D"),
        ("max_pool2d", "max_pooling2d"),
    )},
    "linalg.einsum": "einsum", "linalg.matmul": "matmul", "linalg.tensordot": "tensordot", "linalg.norm": "norm",
    "linalg.transpose": "linalg.matrix_transpose", "linalg.eye": "eye", "linalg.l2_normalize": "nn.l2_normalize",
    "math.l2_normalize": "nn.l2_normalize", "nn.top_k": "math.top_k", "nn.in_top_k": "math.in_top_k",
    "nn.softplus": "math.softplus", "nn.sigmoid": "math.sigmoid", "nn.tanh": "math.tanh", "math.softmax": "nn.softmax",
    "math.log_softmax": "nn.log_softmax", "math.zero_fraction": "nn.zero_fraction",
    "arg_max": "math.argmax", "arg_min": "math.argmin", "math.add_n": "add_n", "manip.tile": "tile",
    "manip.reshape": "reshape", "manip.roll": "roll", "manip.reverse": "reverse", "manip.gather_nd": "gather_nd",
    "math.bincount": "bincount", "image.resize_image_with_pad": "image.resize_with_pad",
    "image.resize_image_with_crop_or_pad": "image.resize_with_crop_or_pad",
    "nn.softmax_cross_entropy_with_logits_v2": "nn.softmax_cross_entropy_with_logits",
    "nn.depthwise_conv2d_native": "nn.depthwise_conv2d",
    "optimizers": "keras.optimizers", "InteractiveSession": "Session", "train.MonitoredSession": "Session",
    "train.MonitoredTrainingSession": "Session", "train.SingularMonitoredSession": "Session",
    "examples.tutorials.mnist.input_data.mnist": "examples.tutorials.mnist.input_data",
}  # fmt: skip

#: Functions that ``tf`` repeats from ``tf.math``; the table has them under ``tf.math``.
IN_MATH: Final = frozenset({
    "abs", "accumulate_n", "acos", "acosh", "add", "argmax", "argmin", "asin", "asinh", "atan", "atan2", "atanh", "cos",
    "cosh", "cumsum", "divide", "equal", "exp", "floor", "greater", "greater_equal", "less", "less_equal", "logical_and",
    "logical_not", "logical_or", "maximum", "minimum", "multiply", "negative", "not_equal", "pow", "reduce_all",
    "reduce_any", "reduce_logsumexp", "reduce_max", "reduce_mean", "reduce_min", "reduce_prod", "reduce_sum", "round",
    "scalar_mul", "sigmoid", "sign", "sin", "sinh", "sqrt", "square", "subtract", "tan", "tanh", "truediv",
})  # fmt: skip

#: Names that take other arguments than their successors.
OWN: Final = frozenset({"batch_matmul", "select", "concat_v2"})

#: Helpers that shipped beside the tutorials' source, often imported as modules of their own.
TUTORIAL: Final = "tensorflow.examples.tutorials.mnist.input_data"
_MODULES_BY_LENGTH: Final = tuple(sorted(MODULES, key=len, reverse=True))


def canonical(name: str) -> str | None:
    """The canonical name of a TensorFlow name, ``None`` if it belongs to another library."""
    root, _, path = name.partition(".")
    if root == "input_data":
        return f"{TUTORIAL}.{path}" if path else TUTORIAL
    if root == "tf_slim":
        root, path = "tensorflow", f"contrib.slim.{path}".rstrip(".")
    if root == "absl":
        return _flags(path)
    if root != "tensorflow" or path.startswith("keras"):
        return None
    path = _name(_module(path))
    if path.partition(".")[0] in ("app", "flags"):
        return _flags(path)
    if path.startswith("layers.") and path[7:8].isupper():
        return f"keras.{path}"
    return f"tensorflow.{path}" if path else "tensorflow"


def _flags(path: str) -> str:
    """absl's ``app`` and ``flags``, which TensorFlow 1 has as ``tf.app`` and ``tf.app.flags``."""
    return f"absl.{path.removeprefix('app.') if path.startswith('app.flags') else path}"


def _module(path: str) -> str:
    for module in _MODULES_BY_LENGTH:
        if path == module or path.startswith(f"{module}."):
            home, rest = MODULES[module], path[len(module) + 1 :]
            return _module(f"{home}.{rest}".strip("."))
    return path


def _name(path: str) -> str:
    if path in OWN:
        return path
    path = MOVED.get(path, path)
    path = ANCIENT.get(path) or path
    path = HOMES.get(path, path)
    return f"math.{path}" if path in IN_MATH else path
