"""Element types and shapes that results of library functions have, compared with runs of generated programs."""

from __future__ import annotations

import pytest

from tests.lower.against_runs import is_found, refuted

pytestmark = pytest.mark.oracle
for _name in ("torch", "keras", "tensorflow"):
    pytest.importorskip(_name)

TYPES = ("uint8", "int32", "int64", "float32", "float64")


@pytest.mark.parametrize("dtype", TYPES)
def test_results_of_numpy(dtype):
    made = f"import numpy as np\nm = np.eye(3, dtype=np.{dtype}) * 2\nv = np.arange(3).astype(np.{dtype})\n"
    forms = ("np.linalg.inv(m)", "np.linalg.solve(m, v)", "np.linalg.cholesky(m)", "np.prod(m, dtype=np.int32)",
             "np.prod(m, axis=0)", "np.prod(m, axis=0, keepdims=True)", "np.prod(m.shape)", "np.real(m)", "(m > 0) ** 2",
             "(m > 0) ** v", "np.log(m + 1, where=m > 0)", "np.full_like(m > 0, 0.1)")  # fmt: skip
    assert refuted(made + "".join(f"y{n} = {form}\n" for n, form in enumerate(forms))) == []


@pytest.mark.parametrize("dtype", TYPES[1:])
@pytest.mark.parametrize("index", ["", ", tf.int64", ", out_idx=tf.int32"])
def test_different_elements_in_tensorflow(dtype, index):
    made = f"import tensorflow as tf\nx = tf.constant([1, 2, 1], dtype=tf.{dtype})\n"
    assert (
        refuted(f"{made}a, b = tf.unique(x{index})\nc = tf.unique_with_counts(x{index})\nd = c[2]\ne = b + c.count[0]\n") == []
    )


@pytest.mark.parametrize("left", ["float16", "float32", "float64", "int32"])
@pytest.mark.parametrize("right", ["float16", "float32", "float64"])
def test_products_and_scalars_in_keras(left, right):
    made = (
        f"import keras\nx = keras.ops.ones((2, 3), dtype='{left}')\ny = keras.ops.ones((3, 2), dtype='{right}')\n"
        f"s = keras.ops.cast(keras.ops.sum(y), '{right}')\nt = keras.ops.cast(keras.ops.ones(()), '{left}')\n"
    )
    forms = ("keras.ops.matmul(x, y)", "keras.ops.dot(x, y)", "keras.ops.add(x, s)", "s * x", "keras.ops.multiply(y, t)",
             "keras.ops.maximum(x, s)", "keras.ops.add(s, t)", "keras.ops.sum(x, keepdims=True)",
             "keras.ops.mean(x, keepdims=True)", "keras.ops.sum(x, axis=0, keepdims=True)",
             "keras.ops.stop_gradient(x)")  # fmt: skip
    assert refuted(made + "".join(f"z{n} = {form}\n" for n, form in enumerate(forms))) == []


@pytest.mark.parametrize("loss", ["MeanSquaredError", "CosineSimilarity", "Huber", "MeanAbsoluteError"])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_losses_of_keras_with_a_type(loss, dtype):
    made = "import keras\nx = keras.random.uniform((2, 3))\ny = keras.random.uniform((2, 3))\n"
    assert refuted(f"{made}loss = keras.losses.{loss}(dtype='{dtype}')\nz = loss(x, y)\n") == []


@pytest.mark.parametrize("source", ["np.random.rand(2, 4).astype(np.float32)", "keras.random.uniform((2, 4))"])
@pytest.mark.parametrize("outputs", ["i", "[i, keras.layers.Dense(2)(i)]", "keras.layers.Dense(2)(i)"])
def test_inputs_of_keras_that_are_outputs(source, outputs):
    made = f"import keras\nimport numpy as np\ni = keras.Input((4,))\nmodel = keras.Model(i, {outputs})\n"
    assert refuted(f"{made}x = {source}\ny = model(x)\n") == []


@pytest.mark.parametrize("sizes", [(1, 6), (6, 1), (6, 6), (1, 1)])
@pytest.mark.parametrize("dims", ["([1], [1])", "((1,), (1,))", "1"])
def test_tensordot_sums_over_an_axis_of_size_1_alone(sizes, dims):
    left, right = sizes
    shape = f"(2, {right}, 5)" if dims != "1" else f"({right}, 5)"
    assert refuted(f"import torch\nx = torch.rand(2, {left})\ny = torch.rand{shape}\nz = torch.tensordot(x, y, {dims})\n") == []


@pytest.mark.parametrize("shapes", [("(2, 3)", "(2, 4, 5)"), ("(2, 2)", "(2, 3, 5)")])
def test_other_sizes_do_not_fit(shapes):
    assert is_found(f"import torch\ntorch.tensordot(torch.rand{shapes[0]}, torch.rand{shapes[1]}, ([1], [1]))\n")


@pytest.mark.parametrize("other", ["torch.dist(a, a)", "torch.logdet(torch.eye(2))", "a.sum()", "a", "'cpu'"])
@pytest.mark.parametrize("dtype", ["bfloat16", "float64", "int64"])
def test_tensors_converted_to_the_type_of_another_one(other, dtype):
    assert (
        refuted(f"import torch\na = torch.rand(3)\nx = torch.ones(2, dtype=torch.{dtype})\ny = x.to({other})\nz = y * 2\n")
        == []
    )


@pytest.mark.parametrize("dtype", TYPES)
def test_ranges_of_numpy(dtype):
    made = f"import numpy as np\nx = np.array([-2.6, 3.7, 0.5, 4.2]).astype(np.{dtype})\n"
    forms = ("np.random.permutation(x)", "np.random.permutation(4)", "np.fmod(x, 2)", "np.mod(x, 2)", "np.fmod(3, x + 9)",
             "np.nansum(x, dtype=np.int64)", "np.sum(x, dtype=np.int32)", "np.sum(x)", "np.complex64(3, 3)",
             "np.random.permutation(x.reshape(2, 2))")  # fmt: skip
    assert refuted(made + "".join(f"y{n} = {form}\n" for n, form in enumerate(forms))) == []


@pytest.mark.parametrize("value", ["", ", value=0.5", ", value=-1"])
@pytest.mark.parametrize("name", ["addcmul", "addcdiv"])
def test_products_and_quotients_added(name, value):
    made = "import torch\na, b, c = torch.rand(2, 3), torch.rand(3), torch.rand(2, 1) + 1\n"
    forms = (f"torch.{name}(a, b, c{value})", f"a.{name}(b, c{value})", f"torch.{name}(input=b, tensor1=a, tensor2=c{value})",
             f"a.clone().{name}_(b, c{value})", "torch.addmm(1, b, 1, a, torch.eye(3))", "torch.addmm(b, a, torch.eye(3))",
             "torch.add(a, 2, b)")  # fmt: skip
    assert refuted(made + "".join(f"y{n} = {form}\n" for n, form in enumerate(forms))) == []


@pytest.mark.parametrize("options", ["add_bias_kv=True", "add_zero_attn=True", "add_bias_kv=True, add_zero_attn=True", ""])
@pytest.mark.parametrize("shape", ["(3, 2, 4)", "(3, 4)"])
def test_positions_that_attention_adds(options, shape):
    made = f"import torch\nlayer = torch.nn.MultiheadAttention(4, 2, {options})\nx = torch.rand{shape}\n"
    assert refuted(f"{made}y, w = layer(x, x, x)\nv = w + 1\n") == []


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_scalars_of_keras_type_with_numbers(dtype):
    made = f"import keras\nx = keras.ops.ones((3,), dtype='{dtype}')\ns = keras.ops.mean(x)\n"
    forms = ("keras.ops.where(s > 3, s, 0.1)", "s + 0.5", "keras.ops.maximum(s, 0.1)", "keras.ops.multiply(s, 2)",
             "keras.ops.where(x > 3, x, 0.1)", "x + 0.5")  # fmt: skip
    assert refuted(made + "".join(f"z{n} = {form}\n" for n, form in enumerate(forms))) == []


@pytest.mark.parametrize("loss", ["squared_hinge", "mean_squared_error", "mean_absolute_error", "hinge", "log_cosh"])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_losses_of_arrays(loss, dtype):
    made = f"import keras\nimport numpy as np\nx = np.ones((2, 3), dtype=np.{dtype})\n"
    assert (
        refuted(f"{made}y = keras.losses.{loss}(x, x)\nz = keras.losses.{loss}(keras.ops.array(x), keras.ops.array(x))\n") == []
    )


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", ["percentile", "nanpercentile", "quantile"])
def test_percentiles(dtype, name):
    made = f"import numpy as np\nx = np.arange(6).astype(np.{dtype}).reshape(2, 3)\n"
    shares = ("0.5", "[0.25, 0.5]", "np.array([0.5])")
    more = ("", ", axis=0", ", axis=1, keepdims=True", ", method='nearest'", ", axis=0, method='lower'")
    forms = [f"np.{name}(x, {share}{option})" for share in shares for option in more]
    assert refuted(made + "".join(f"y{n} = {form}\n" for n, form in enumerate(forms))) == []


@pytest.mark.parametrize("sizes", [(1, 3), (3, 1), (3, 3), (1, 1)])
@pytest.mark.parametrize("equation", ["i,i->i", "ai,bi->ab", "...i,...i->...", "ai,ai"])
@pytest.mark.parametrize("library", ["torch", "np", "keras.ops"])
def test_einsum_over_axes_of_size_1(sizes, equation, library):
    rank = 1 if equation.startswith("i") else 2
    shapes = [(2, size)[2 - rank :] for size in sizes]
    made = "".join(f"x{n} = {library}.ones({shape})\n" for n, shape in enumerate(shapes))
    assert refuted(f"import torch\nimport keras\nimport numpy as np\n{made}y = {library}.einsum('{equation}', x0, x1)\n") == []


@pytest.mark.parametrize("library", ["torch", "np", "keras.ops"])
def test_einsum_over_other_sizes(library):
    made = f"import torch\nimport keras\nimport numpy as np\nx, y = {library}.ones((2, 3)), {library}.ones((2, 4))\n"
    assert is_found(f"{made}z = {library}.einsum('ai,bi->ab', x, y)\n")


@pytest.mark.parametrize("shape", ["(0, 3)", "(2, 0)", "(0,)"])
@pytest.mark.parametrize("call", ["x.gather(0, i)", "torch.gather(x, 0, i)"])
def test_an_index_without_elements_fits(shape, call):
    assert refuted(f"import torch\nx = torch.rand(4)\ni = torch.ones({shape}, dtype=torch.int64)\ny = {call}\n") == []


@pytest.mark.parametrize("layout", ["torch.channels_last", "torch.contiguous_format", "torch.preserve_format"])
@pytest.mark.parametrize("dtype", ["torch.float64", "torch.float32", "torch.ones(1)"])
def test_conversions_to_another_layout(layout, dtype):
    made = "import torch\nx = torch.rand(2, 3, 4, 5)\nt = torch.rand(4, 5).t()\n"
    assert refuted(f"{made}y = x.to({dtype}, memory_format={layout})\nt.resize_as_(torch.rand(5, 4))\nz = t + 1\n") == []


REDUCTIONS = (
    "sum", "mean", "max", "min", "median", "std", "var", "prod", "argmax", "amax", "any", "logsumexp", "norm", "cumsum",
    "softmax", "sort", "argsort", "squeeze", "unsqueeze", "std_mean", "mode", "nanmedian", "cummax", "flip",
)  # fmt: skip
SPELLINGS = (
    "x.{name}(axis={axis})", "x.{name}(axis={axis}, keepdims=True)", "torch.{name}(x, axis={axis}, keepdims=True)",
    "torch.{name}(x=x, axis={axis})", "torch.{name}(a=x, dim={axis}, keepdims=False)",
)  # fmt: skip


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("axis", ["0", "1", "-1"])
def test_numpys_spellings_in_torch(name, axis):
    made = "import torch\nx = torch.rand(2, 3) + 1\n"
    used = "first = z if isinstance(z, torch.Tensor) else z[0]\nw = first + 0\n"
    assert [refuted(f"{made}z = {form.format(name=name, axis=axis)}\n{used}") for form in SPELLINGS] == [[]] * len(SPELLINGS)


@pytest.mark.parametrize("first", TYPES)
@pytest.mark.parametrize("second", TYPES)
def test_grids_of_vectors_of_one_type(first, second):
    text = (
        f"import torch\na = torch.arange(3).to(torch.{first})\nb = torch.arange(4).to(torch.{second})\n"
        "x, y = torch.meshgrid(a, b, indexing='ij')\n"
    )
    assert is_found(text) if first != second else refuted(text) == []


@pytest.mark.parametrize("axis", ["0", "1", "2", "-1", "(0, 1)", "None"])
def test_counts_of_keras(axis):
    made = "import keras\nx = keras.ops.reshape(keras.ops.arange(12), (3, 2, 2))\n"
    assert refuted(f"{made}y = keras.ops.count_nonzero(x, axis={axis})\nz = y + 1\n") == []


@pytest.mark.parametrize(
    "shapes", [("(3, 1, 2)", "(3, 2)"), ("(3, 2)", "(3, 2)"), ("(3, 2)", "(1, 2)"), ("(3, 2)", "(3, 1, 2)")]
)
def test_entropies_of_labels_of_another_rank(shapes):
    labels, scores = shapes
    made = f"import tensorflow as tf\nlabels = tf.random.uniform({labels})\nscores = tf.random.uniform({scores})\n"
    assert refuted(f"{made}y = tf.nn.softmax_cross_entropy_with_logits(labels, scores)\nz = y * 2\n") == []


EMPTY = (
    "torch.roll(x, 1, dims=3)", "torch.cummin(x, 5)", "x.cummax(4)", "x.softmax(-1)", "x.log_softmax(0)", "x.exponential_()",
    "torch.roll(x, 1, 0)", "torch.relu(x)", "x.cumsum(0)",
)  # fmt: skip


@pytest.mark.parametrize("call", EMPTY)
@pytest.mark.parametrize("shape", ["(0, 3)", "(2, 0)", "(0,)"])
@pytest.mark.parametrize("dtype", ["bool", "int64", "float32"])
def test_tensors_without_elements(call, shape, dtype):
    assert refuted(f"import torch\nx = torch.zeros({shape}, dtype=torch.{dtype})\ny = {call}\n") == []


@pytest.mark.parametrize("call", ["torch.roll(x, 1, dims=3)", "torch.cummin(x, 5)", "(x > 0).softmax(-1)"])
def test_tensors_with_elements(call):
    assert is_found(f"import torch\nx = torch.zeros(2, 3)\ny = {call}\n")
