"""None of the reproductions is forgotten: each has a program here, or a test elsewhere.

The first 22 were found by attempts to break dllint, the others by reading what it said about public repositories. Those about
work and processes without bounds are not mended yet.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from tests.reproductions.test_programs import PROGRAMS
from tests.rules.harness import findings, reports

ROOT: Final = Path(__file__).parents[2]
#: Reproduction → the heading of a program, or a file and what is tested there.
TESTED: Final = {
    "one-line-suite-loses-findings": "tests/engine/test_one_line_suites.py::test_a_fault_is_told_at_its_place",
    "dict-subclass-items": "A subclass of dict or list",
    "gitignore-line": "tests/engine/test_files.py::test_lines_of_gitignore_that_mean_nothing_are_passed_by",
    "coding-cookie": "tests/source/test_encoding.py::test_what_is_not_text_says_why",
    "rank-0-argument": "A layer that is given a tensor of rank 0",
    "annotations-assigned": "Annotations that are assigned",
    "int-is_integer": "Ranges of whole numbers",
    "dtype-comparison": "Element types that are compared",
    "numpy-T": "The transpose of an array of many axes",
    "caught-errors": "tests/lower/test_exceptions.py::test_the_handler_is_executed",
    "caught-errors, told": "Errors that are caught",
    "in-place-shape": "Shapes that change in place",
    "constant-evaluation-bombs": "tests/security/test_large_constants.py::test_what_grows_ends",
    "orphans-after-sigterm": "tests/security/test_signals.py::test_processes_of_a_run_end_with_it",
    "group-norm-float64": "The type of weights that are given",
    "in-place-op-fix": "tests/rules/test_guards.py::test_operations_in_place_still_change_their_tensor",
    "ranges": "tests/ops/test_ranges_against_torch.py::test_results_lie_in_the_range",
    "ranges, of other libraries": "tests/reproductions/test_ranges.py::test_a_claimed_range_holds_what_is_computed",
    "server-executes-workspace-module": (
        "tests/security/test_module_path.py::test_the_server_and_its_analysis_import_nothing_of_the_workspace"
    ),
    "cache-symlink-overwrites-file": (
        "tests/security/test_cache_directory.py::test_what_was_checked_in_as_the_cache_is_left_alone"
    ),
    "cache-dir-dot-destroys-gitignore": (
        "tests/security/test_cache_directory.py::test_directories_that_are_there_are_not_changed"
    ),
    "annotation-injection": "tests/security/test_output.py::test_no_name_of_a_file_does_anything_on_any_channel",
    "hang-on-special-files": "tests/security/test_special_files.py::test_what_is_no_file_costs_only_itself",
    "hang-on-special-files, patterns": "tests/security/test_patterns.py::test_no_pattern_of_a_checkout_holds_up_a_run",
    "gitignore-line, odd ones": "tests/security/test_patterns.py::test_an_odd_line_costs_only_itself",
    "attribute_as_size": "Attributes of an argument that nobody describes",
    "backslash_blank_line": "A backslash before an empty line",
    "crash_subclass_dict": "A subclass of dict or list",
    "crash_subclass_loader": "A subclass of DataLoader",
    "crash_subclass_transform": "A subclass of a transform",
    "cvae_reshape": "A decoder of latent numbers",
    "leaky_alpha": "Keywords that a library takes although no signature has them",
    "longtensor_of_tuple": "Tensors of a tuple of numbers",
    "loop_rebinds_parameter": "A helper that limits its parameter in a loop",
    "metric_per_output": "One metric for each output",
    "missed_float_channels": "A float as the number of channels",
    "missed_model_input_output": "tests/reproductions/test_index.py::test_old_keywords_of_models_are_told",
    "module_to_memory_format": "Keywords that a library takes although no signature has them",
    "nparray_of_attribute": "Attributes that steer no shape",
    "nparray_of_choice": "An array of what may be one of several things",
    "stable_softplus": "A stable softplus",
    "tf_image_dtypes": "Types of resized images",
    "tf_keras_tokenizer": "Names that are left where others went",
    "trained_by_own_optimizer": "Tensors with an optimizer of their own",
    "unpack_batch": "A batch of two things",
    "gradient-is-none": "Whether there is a gradient",
    "renumbered-labels": "Labels that are renumbered",
}
#: Found by reading, too.
BESIDE: Final = {"gradient-is-none", "renumbered-labels"}
#: About work and processes without bounds.
NOT_MENDED: Final = ("docstring-and-literals",)


@pytest.mark.parametrize("where", TESTED.values(), ids=TESTED)
def test_a_reproduction_has_a_test(where: str) -> None:
    file, separator, name = where.partition("::")
    if separator:
        assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8")
    else:
        assert where in PROGRAMS


def test_all_are_accounted_for() -> None:
    assert len({name.partition(",")[0] for name in TESTED} - BESIDE) + len(NOT_MENDED) == 22 + 20
    assert set(PROGRAMS) <= set(TESTED.values())


@pytest.mark.parametrize("module", ["keras", "keras.models", "tensorflow.keras", "tensorflow.keras.models"])
@pytest.mark.parametrize(
    "arguments", ["input=i, output=o", "input=i, outputs=o", "inputs=i, output=o", "input=[i], output=[o]"]
)
def test_old_keywords_of_models_are_told(module: str, arguments: str) -> None:
    layers = f"{module.removesuffix('.models')}.layers"
    made = f"i = Input((3,))\no = Dense(1)(i)\nmodel = Model({arguments})\n"
    text = f"from {layers} import Dense, Input\nfrom {module} import Model\n{made}"
    assert reports(text, today=True) == [(5, "DLA104")] * len(re.findall(r"\b(?:in|out)put=", arguments))
    assert [found.code for found in findings(text)] == ["DLA104"]
