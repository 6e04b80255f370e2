"""Data at a model's declared input, feature maps of known architectures, time steps, vocabularies."""

import pytest

from dllint.domains.dim import symbol
from dllint.domains.dtype import FLOAT32, STRING, UINT8
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ops import all as _all  # noqa: F401
from dllint.ops.spec import apply

B = symbol("B")


def of(*shape, dtype=FLOAT32):
    return TensorType(shape, dtype)


def model_input(given, declared):
    return apply("model_input", "keras", {"x": given, "shape": declared})


def test_data_of_the_declared_shape():
    outcome = model_input(of(60000, 28, 28, 1), (B, 28, 28, 1))
    assert outcome.result.shape == (60000, 28, 28, 1)
    assert outcome.faults == ()


@pytest.mark.parametrize(("given", "declared"), [((32, 28, 28), (B, 28, 28, 1)), ((32, 5, 1), (B, 5))])
def test_a_last_axis_of_one_is_adapted(given, declared):
    outcome = model_input(of(*given), declared)
    assert outcome.faults == ()
    assert outcome.result.shape == (32, *declared[1:])


@pytest.mark.parametrize(
    ("given", "declared", "axis"),
    [
        ((100, 3), (B, 2), 1),
        ((64, 64, 3), (B, 64, 64, 3), None),
        ((60000, 28, 28), (B, 60000, 28, 28), None),
        ((8,), (B, 4), None),
    ],
)
def test_other_data_is_a_fault_and_the_declared_shape_goes_on(given, declared, axis):
    outcome = model_input(of(*given), declared)
    (fault,) = outcome.faults
    assert (fault.kind, fault.axis, fault.expected, fault.actual) == ("input-shape", axis, declared, given)
    assert outcome.result.shape[1:] == declared[1:]


def test_free_sizes_fit_anything():
    assert model_input(of(8, 17, 3), (B, symbol("T"), 3)).faults == ()


@pytest.mark.parametrize(
    ("offset", "size", "positions"),
    [(1, 200, 7), (32, 200, 6), (75, 299, 8), (75, 96, 1), (3, 331, 11), (1, 224, 7), (32, 96, 3)],
)
def test_feature_map(offset, size, positions):
    outcome = apply("feature_map", "keras", {"x": of(B, size, size, 3), "features": 512, "offset": offset})
    assert outcome.result.shape == (B, positions, positions, 512)


@pytest.mark.parametrize(("offset", "size"), [(75, 32), (75, 74), (32, 31), (1, 0)])
@pytest.mark.parametrize("channels_last", [True, False])
def test_a_picture_that_is_too_small_leaves_no_feature_map(offset, size, channels_last):
    x = of(B, size, 224, 3) if channels_last else of(B, 3, size, 224)
    outcome = apply("feature_map", "keras", {"x": x, "features": 512, "offset": offset, "channels_last": channels_last})
    (fault,) = outcome.faults
    assert (fault.kind, fault.axis, fault.actual) == ("spatial-collapse", 1 if channels_last else 2, size)
    assert not any(isinstance(n, int) and n < 0 for n in outcome.result.shape)


def test_feature_map_of_channels_first():
    args = {"x": of(2, 3, 64, 64), "features": 8, "offset": 1, "channels_last": False}
    assert apply("feature_map", "keras", args).result.shape == (2, 8, 2, 2)


def test_time_steps_and_back():
    steps = apply("time_steps", "keras", {"x": of(B, 10, 64, 64, 3)}).result
    assert steps.shape == (B * 10, 64, 64, 3)
    joined = apply("time_join", "keras", {"x": of(B * 10, 32), "batch": B, "time": 10}).result
    assert joined.shape == (B, 10, 32)


def test_time_steps_need_a_sequence():
    (fault,) = apply("time_steps", "keras", {"x": of(B, 64)}).faults
    assert fault.kind == "sequence-rank"


@pytest.mark.parametrize(
    ("mode", "shape", "wanted"),
    [("int", (B, 1), (B, 5)), ("int", (B,), (B, 5)), ("multi_hot", (B, 1), (B, 100))],
)
def test_text_vectors(mode, shape, wanted):
    args = {
        "x": of(*shape, dtype=STRING),
        "output_mode": mode,
        "output_sequence_length": 5,
        "max_tokens": 100,
        "pad_to_max_tokens": True,
    }
    assert apply("text_vectors", "keras", args).result.shape == wanted


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("mode", "shape"), [("one_hot", (4, 1)), ("one_hot", (4, 3)), ("multi_hot", (4, 3)), ("count", (4, 3))]
)
def test_category_encoding_as_keras(mode, shape):
    keras = pytest.importorskip("keras")
    real = keras.layers.CategoryEncoding(num_tokens=7, output_mode=mode)(keras.ops.ones(shape, dtype="int32"))
    ours = apply("category_encoding", "keras", {"x": of(*shape, dtype=UINT8), "num_tokens": 7, "output_mode": mode}).result
    assert ours.shape == tuple(real.shape)


def test_unknown_rank_stays_unknown():
    x = TensorType(Unknown("no-argument"), FLOAT32)
    for name in ("model_input", "feature_map", "time_steps", "text_vectors", "category_encoding"):
        assert isinstance(apply(name, "keras", {"x": x, "shape": (B, 2)}).result.shape, Unknown)
