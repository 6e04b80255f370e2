"""What is still known when a rank or a size is not, and the sizes that slices and masks of attention code rely on."""

from dllint.domains.dim import is_fixed, is_known, symbol
from dllint.domains.dtype import BOOL, FLOAT32, INT64
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ops.spec import apply
from tests.ops.harness import t

OPEN = TensorType(Unknown("test"), FLOAT32)
B, T = symbol("B"), symbol("T")


def result(op, framework="torch", **args):
    outcome = apply(op, framework, args)
    assert not outcome.faults
    return outcome.result


def test_a_mean_of_everything_has_rank_0():
    assert result("mean", x=OPEN).shape == ()
    assert isinstance(result("mean", x=OPEN, dim=1).shape, Unknown)


def test_flatten_of_samples_has_two_axes():
    assert result("flatten", x=OPEN, start_dim=1).rank == 2


def test_permute_tells_the_rank():
    assert result("permute", x=OPEN, dims=(0, 2, 1)).rank == 3


def test_chunk_gives_as_many_parts_as_asked():
    parts = result("chunk", x=OPEN, chunks=3, dim=-1)
    assert [part.dtype for part in parts] == [FLOAT32] * 3


def test_split_sizes_need_no_shape():
    assert len(result("split", x=OPEN, sections=(1, 2), dim=1)) == 2


def test_a_positional_table_cut_to_the_length_keeps_the_length():
    table = result("getitem", x=t(1, 5000, 64), index=(slice(None), slice(None, T)))
    assert result("add", x=t(B, T, 64), y=table).shape == (B, T, 64)
    assert result("add", x=table, y=t(B, T, 64)).shape == (B, T, 64)


def test_interleaved_columns_of_an_odd_table_do_not_take_the_same_value():
    sines = t(100, 4)
    odd = t(100, 7)
    assert not apply("setitem", "torch", {"x": odd, "index": (slice(None), slice(0, None, 2)), "value": sines}).faults
    (fault,) = apply("setitem", "torch", {"x": odd, "index": (slice(None), slice(1, None, 2)), "value": sines}).faults
    assert (fault.kind, fault.axis, fault.expected, fault.actual) == ("broadcast", -1, 3, 4)
    assert fault.shapes == ((100, 3), (100, 4))


def test_minus_one_is_solved_through_symbols():
    assert result("reshape", x=t(B, T, 512), shape=(B, T, 8, -1)).shape == (B, T, 8, 64)
    assert result("reshape", x=t(B, 6, 4), shape=(-1, 24)).shape == (B, 24)
    assert result("view", x=t(B, 12), shape=(-1, 5)).shape[1] == 5


def test_a_size_that_can_never_divide_is_a_fault():
    (fault,) = apply("reshape", "torch", {"x": t(2 * B + 1, 3), "shape": (-1, 2, 3)}).faults
    assert fault.kind == "reshape-size"


def test_a_mask_keeps_the_other_axes():
    picked = result("getitem", x=t(B, T, 64), index=TensorType((B, T), BOOL))
    assert picked.shape[1:] == (64,)
    assert is_known(picked.shape[0])
    assert not is_fixed(picked.shape[0])


def test_a_linear_layer_says_what_it_expected():
    outcome = apply("linear", "torch", {"x": t(B, 1600), "in_features": 1024, "out_features": 10})
    (fault,) = outcome.faults
    assert (fault.kind, fault.operand, fault.axis, fault.expected, fault.actual) == (
        "feature-size",
        "in_features",
        1,
        1024,
        1600,
    )
    assert outcome.result.shape == (B, 10)


def test_indices_out_of_a_known_size_are_a_fault():
    (fault,) = apply("getitem", "torch", {"x": t(B, 3), "index": (slice(None), 3)}).faults
    assert (fault.kind, fault.operand, fault.axis, fault.expected, fault.actual) == ("axis-range", "index", 1, 3, 3)


def test_gathering_keeps_the_shape_of_the_index():
    assert result("gather", x=t(B, T, 10), dim=-1, index=t(B, T, 1, dtype=INT64)).shape == (B, T, 1)
