"""A subset of the measured suite: faulty programs are told at their lines, healthy ones are left alone. The whole of it is
``python -m benchmarks.diagnose.run``."""

from __future__ import annotations

import pytest

from benchmarks.diagnose.bounds import upper_bound
from benchmarks.diagnose.execution import Report
from benchmarks.diagnose.labels import PROGRAMS, programs, read
from benchmarks.diagnose.scoring import judge

#: Told without trying repairs, which takes most of the time.
TOLD = (
    "torch_dead_rectifiers",
    "torch_log_of_softmax",
    "torch_mse_broadcast",
    "torch_parameters_left_out",
    "torch_raw_pixels",
    "torch_softmax_before_cross_entropy",
    "torch_sorted_labels",
    "torch_summed_loss",
)
#: And repaired.
REPAIRED = ("torch_lr_too_high", "torch_missing_zero_grad", "torch_no_grad", "torch_zero_spread")
HEALTHY = (
    "torch_class_weights",
    "torch_denoising_autoencoder",
    "torch_ema",
    "torch_gradient_accumulation",
    "torch_iris",
    "torch_label_smoothing",
    "torch_lbfgs_regression",
    "torch_multilabel",
    "torch_siamese",
    "torch_xor",
)


def judged(diagnose, name: str, *, replay: bool = False):
    """The verdict on a faulty program."""
    program = read(PROGRAMS / "faulty" / f"{name}.py")
    done = diagnose(program.path.read_text(encoding="utf-8"), replay=replay)
    return judge(Report(program, 0, done.status, done.findings, done.stderr, 0.0))


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("name", TOLD)
def test_a_fault_is_told_at_its_line(diagnose, name):
    verdict = judged(diagnose, name)
    assert (verdict.symptom, verdict.line) == (True, True)


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("name", REPAIRED)
def test_a_fault_is_told_and_its_repair_confirmed(diagnose, name):
    verdict = judged(diagnose, name, replay=True)
    assert (verdict.symptom, verdict.line, verdict.fix) == (True, True, True)


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("name", HEALTHY)
def test_a_healthy_program_is_left_alone(diagnose, name):
    done = diagnose((PROGRAMS / "healthy" / f"{name}.py").read_text(encoding="utf-8"), arguments=("0",))
    assert [finding["message"] for finding in done.findings if finding["severity"] in ("error", "warning")] == []
    assert done.status != 2


@pytest.mark.parametrize("framework", ["keras-torch"])
def test_a_fault_of_a_keras_program_is_told_at_its_line(diagnose, framework):
    for name in ("keras_saturated_sigmoids", "keras_softmax_on_one_unit"):
        verdict = judged(diagnose, name)
        assert (name, verdict.symptom, verdict.line) == (name, True, True)


def test_every_faulty_program_has_labels():
    for program in programs("faulty"):
        assert program.codes, program.name
        assert program.accepted, program.name
        assert "After " in program.path.read_text(encoding="utf-8").split('"""')[1], program.name


def test_the_upper_bound_of_a_share_is_exact():
    """Zero of n: the bound is 1 - 0.05 ** (1 / n)."""
    assert upper_bound(0, 50) == pytest.approx(1 - 0.05**0.02, abs=1e-9)
    assert upper_bound(1, 50) == pytest.approx(0.09140, abs=1e-4)
    assert upper_bound(5, 5) == 1.0
