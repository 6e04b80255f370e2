"""Arguments that are not known: every operation stays silent about them and never fails on them."""

from dllint.domains.dim import opaque
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ops.spec import apply
from tests.ops.harness import FRAMEWORKS, Quiet, arguments, canonical_arguments, cases, contains, ours

UNKNOWN = Unknown("test")
#: ``chunk`` takes a size that is not known to be large enough for all parts; a weight that is not known is a matrix.
ASSUMING = frozenset({("chunk", "x"), ("chunk", "dim"), ("linear", "weight")})
SAMPLES = [(case, sample) for f in FRAMEWORKS for case in cases(f) for sample in case.samples if not isinstance(sample, Quiet)]


def blurred(value):
    """Everything an argument may have become when less is known about it."""
    yield UNKNOWN
    if isinstance(value, TensorType):
        yield TensorType(UNKNOWN, value.dtype)
        yield TensorType(value.shape, UNKNOWN)
        yield TensorType(tuple(opaque("n") for _ in value.shape), value.dtype)
        yield TensorType(value.shape, value.dtype, UNKNOWN)
    elif isinstance(value, tuple) and value:
        for place, part in enumerate(value):
            for other in blurred(part):
                yield (*value[:place], other, *value[place + 1 :])
    elif isinstance(value, int) and not isinstance(value, bool):
        yield opaque("n")


def outcomes(case, sample):
    """What is said about a sample when one argument is less known."""
    args = canonical_arguments(case, arguments(sample))
    for name, value in args.items():
        if name not in case.const and (case.op, name) not in ASSUMING:
            for other in blurred(value):
                yield {**args, name: other}, apply(case.op, case.framework, {**args, name: other})


def test_no_operation_fails_on_what_is_not_known():
    failed = {
        str(outcome.result)
        for case, sample in SAMPLES
        for _, outcome in outcomes(case, sample)
        if isinstance(outcome.result, Unknown) and outcome.result.reason == "op-failed"
    }
    assert sorted(failed) == []


def test_knowing_less_never_makes_a_fault_or_another_result():
    wrong = []
    for case, sample in SAMPLES:
        plain = ours(case, arguments(sample))
        if plain.faults:
            continue
        for args, outcome in outcomes(case, sample):
            if outcome.faults or not contains(outcome.result, plain.result):
                wrong.append(f"{case.framework} {case.op} {args}: {outcome}, known: {plain.result}")
    assert not wrong, "\n".join(wrong[:20])
