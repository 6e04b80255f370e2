"""Functions that are said to compute the same under another name, called under both names."""

from __future__ import annotations

import pytest

from dllint.frameworks.keras.backend import SUCCESSORS
from dllint.frameworks.tensorflow.compatible import ALIKE, renamed_arguments

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]

X = [[0.25, 0.5, 0.75], [0.1, 0.9, 0.3]]
#: Function of ``keras.backend`` → arguments as written; ``x`` and ``y`` are tensors. Others are called with ``x``.
BACKEND = {
    **dict.fromkeys(["equal", "not_equal", "greater", "greater_equal", "less", "less_equal", "maximum", "minimum"], "x, y"),
    **dict.fromkeys(["sum", "mean", "max", "min", "prod", "std", "var", "logsumexp"], "x, axis=1, keepdims=True"),
    **dict.fromkeys(["any", "all"], "x > 0.3, 1"),
    **dict.fromkeys(["zeros", "ones"], "(2, 3)"),
    **dict.fromkeys(["binary_crossentropy", "categorical_crossentropy"], "y, x"),
    "sparse_categorical_crossentropy": "[1, 2], x", "dot": "x, K.transpose(y)", "cast": "x, 'int32'", "reshape": "x, (3, 2)",
    "stack": "[x, y], axis=1", "squeeze": "x[:, :1], 1", "pow": "x, 2", "clip": "x, 0.3, 0.6", "tile": "x, (2, 1)",
    "permute_dimensions": "x, (1, 0)", "one_hot": "[0, 2], 3", "gather": "x, [1, 0]", "concatenate": "[x, y]",
    "expand_dims": "x", "argmax": "x", "argmin": "x", "variable": "x", "softmax": "x",
}  # fmt: skip
RANDOM = ("random_normal", "random_uniform", "variable", "shape")
#: Function of TensorFlow → arguments by their old names.
TENSORFLOW = {
    **{name: {"input_tensor": X, "reduction_indices": 1, "keep_dims": True} for name in ALIKE if "reduce_" in name},
    **{
        name: {"input_tensor": [[True, False], [True, True]], "reduction_indices": 1, "keep_dims": True}
        for name in ALIKE
        if name.endswith(("reduce_any", "reduce_all"))
    },
    **{name: {"input": X, "dimension": 1} for name in ALIKE if name.endswith(("argmax", "argmin"))},
    "expand_dims": {"input": X, "dim": 0}, "squeeze": {"input": [X], "squeeze_dims": [0]}, "transpose": {"a": X},
    "shape": {"input": X}, "size": {"input": X}, "pad": {"tensor": X, "paddings": [[1, 0], [0, 1]]}, "norm": {"tensor": X},
    "ones_like": {"tensor": X}, "zeros_like": {"tensor": X}, "boolean_mask": {"tensor": X, "mask": [True, False]},
    "gather": {"params": X, "indices": [1, 0]}, "convert_to_tensor": {"value": X}, "nn.softmax": {"logits": X, "dim": 0},
    "nn.log_softmax": {"logits": X, "dim": 0}, "nn.moments": {"x": X, "axes": [0], "keep_dims": True},
    "reverse_sequence": {"input": X, "seq_lengths": [2, 3], "seq_dim": 1, "batch_dim": 0},
    "nn.conv2d": {"input": [[[[1.0]]]], "filter": [[[[2.0]]]], "strides": [1, 1, 1, 1], "padding": "SAME"},
    "nn.conv3d": {"input": [[[[[1.0]]]]], "filter": [[[[[2.0]]]]], "strides": [1, 1, 1, 1, 1], "padding": "SAME"},
    "nn.max_pool": {"value": [[[[1.0]]]], "ksize": [1, 1, 1, 1], "strides": [1, 1, 1, 1], "padding": "SAME"},
    "nn.avg_pool": {"value": [[[[1.0]]]], "ksize": [1, 1, 1, 1], "strides": [1, 1, 1, 1], "padding": "SAME"},
}  # fmt: skip
#: Arguments that are tensors.
TENSORS = ("x", "input", "filter", "value")
#: Their arguments are functions.
CONTROL = ("cond", "while_loop")


def reached(module, name):
    for part in name.split("."):
        module = getattr(module, part)
    return module


def test_functions_of_tensorflow():
    tf, np = pytest.importorskip("tensorflow"), pytest.importorskip("numpy")
    assert sorted({*TENSORFLOW, *CONTROL}) == sorted(ALIKE)
    for name, written in TENSORFLOW.items():
        arguments = {key: tf.constant(value) if key in TENSORS else value for key, value in written.items()}
        old = reached(tf.compat.v1, name)(**arguments)
        renamed = renamed_arguments(name, 0, arguments)
        assert renamed is not None, name
        new = reached(tf, name)(**{renamed.get(key, key): value for key, value in arguments.items()})
        for one, other in zip(tf.nest.flatten(old), tf.nest.flatten(new), strict=True):
            np.testing.assert_allclose(one, other, err_msg=name)


def test_functions_of_the_backend():
    tf, np = pytest.importorskip("tensorflow"), pytest.importorskip("numpy")
    keras = pytest.importorskip("keras")
    legacy = keras.src.legacy.backend
    x = keras.ops.convert_to_tensor(X)
    names = {"x": x, "y": keras.ops.flip(x, 0), "K": legacy}
    for name, row in SUCCESSORS.items():
        if name in RANDOM or not hasattr(legacy, name):
            continue
        written = BACKEND.get(name, "x")
        added = f", {row.default[0]}={row.default[1]}" if row.default is not None else ""
        old = eval(f"f({written})", {"x": tf.constant(X), "y": tf.constant(X)[::-1], "K": legacy, "f": getattr(legacy, name)})
        spelled = written.replace("K.transpose(y)", "y.T")
        new = eval(f"f({spelled}{added})", {**names, "f": reached(keras, row.name.removeprefix("keras."))})
        np.testing.assert_allclose(np.asarray(old), keras.ops.convert_to_numpy(new), rtol=1e-5, err_msg=name)
