"""Which operations are compared with a library, and in which forms."""

from dllint.frameworks import registry
from dllint.ops.spec import OPS
from tests.ops.forms import coverage
from tests.ops.harness import FRAMEWORKS, cases
from tests.ops.keras_layers import SAMPLES as KERAS_LAYERS
from tests.ops.layer_calls import parse
from tests.ops.torch_layers import SAMPLES as TORCH_LAYERS

#: Operations without a library function of their own, with the test that holds them.
ELSEWHERE = {
    "category_encoding": "tests/ops/test_model.py",
    "class_indices": "tests/frameworks/sklearn/test_sklearn_oracle.py",
    "distribution": "tests/frameworks/torch/test_distributions.py",
    "distribution_batch": "tests/frameworks/torch/test_distributions.py",
    "distribution_log_prob": "tests/frameworks/torch/test_distributions.py",
    "distribution_rsample": "tests/frameworks/torch/test_distributions.py",
    "distribution_sample": "tests/frameworks/torch/test_distributions.py",
    "einsum_dense": "tests/ops/test_einsum_dense.py",
    "einops_reduce": "tests/ops/test_einops.py",
    "einops_repeat": "tests/ops/test_einops.py",
    "feature_map": "tests/ops/test_model.py",
    "gradient": "tests/engine/test_assumed_ranges.py",
    "library_call": "tests/lower/test_operands_asked.py",
    "keras_loss": "tests/ops/test_keras_losses.py",
    "model_input": "tests/ops/test_model.py",
    "overwrite": "tests/lower/test_writes.py",
    "resize_memory": "tests/lower/test_writes.py",
    "paired_samples": "tests/frameworks/keras/test_faults.py",
    "rearrange": "tests/ops/test_einops.py",
    "stored_data": "tests/frameworks/keras/test_data.py",
    "text_vectors": "tests/ops/test_model.py",
    "time_join": "tests/ops/test_model.py",
    "time_steps": "tests/ops/test_model.py",
    "token_features": "tests/frameworks/huggingface/test_pretrained_text_models.py",
    "view_dtype": "tests/lower/test_writes.py",
    "as_strided": "tests/lower/test_views_against_runs.py",
    "sum_to_size": "tests/lower/test_views_against_runs.py",
    "masked_reduction": "tests/lower/test_masked_calls.py",
    "masked_function": "tests/lower/test_masked_calls.py",
    "put": "tests/lower/test_masked_calls.py",
    **dict.fromkeys(
        ("spectrogram", "mel_scale", "resample_wave", "wave_of_spectrogram"), "tests/frameworks/test_torchaudio.py"
    ),
}
#: Operations that stand for something whose result is not known.
UNKNOWN_BY_DESIGN = frozenset({"assumed_activation", "lookup", "unknown_activation", "unknown_pairing"})


def layer_operations() -> set[str]:
    """The operations of the layers whose calls are compared with torch and Keras."""
    found = set()
    for home, samples in (("torch.nn", TORCH_LAYERS), ("keras.layers", KERAS_LAYERS)):
        registry.load(home)
        for sample in samples:
            row = registry.layer_row(f"{home}.{parse(sample[0])[0]}")
            found |= {row.op} if row is not None else set()
    return found


def test_operations_are_covered(capsys):
    """An operation counts if element types, rank 0, empty tensors, broadcasting, negative axes and keywords, as far as
    they apply to it, are all compared."""
    found = coverage()
    covered = sorted(op for op, missing in found.items() if not missing)
    with capsys.disabled():
        print(f"\n{len(covered)} of {len(OPS)} operations are covered")
    assert len(covered) >= 150


def test_every_operation_has_samples():
    sampled = {case.op for framework in FRAMEWORKS for case in cases(framework)}
    assert sorted(OPS.keys() - sampled - layer_operations() - ELSEWHERE.keys() - UNKNOWN_BY_DESIGN) == []
