"""Candidates without a framework: the user's own objects, and folders of tensors that a device wrote."""

from __future__ import annotations

import numpy as np
import pytest
from safetensors.numpy import save_file

from dllint.bisection.candidates.setting import Setting
from dllint.bisection.candidates.table import candidate_of
from dllint.bisection.errors import BisectionError
from dllint.bisection.samples import SAMPLE
from dllint.bisection.session import Options, laid_out, opened, searched
from dllint.bisection.spec import Spec
from tests.bisection.toys import chain, labels, right, rows

REFERENCE = chain(depth=6)
FAULTY = REFERENCE.with_operator(t3=lambda h, f=REFERENCE.operators["t3"][0]: np.roll(f(h), 1, axis=-1))
X = rows()
VALUES = FAULTY.run({"x": X}, list(FAULTY.operators))


def spec(folder, candidate, **more) -> Spec:
    targets = labels(REFERENCE, X)
    return Spec(folder, REFERENCE, candidate, batches=[(X, targets)], per_sample=right, **more)


def found(folder, candidate, **more):
    given = spec(folder, candidate, **more)
    return searched(laid_out(given, Options(), opened(given, Options()), lambda text: None))


def names(result) -> list[list[str]]:
    return [[step.name for step in culprit.steps] for culprit in result.culprits]


def dumped(folder, wanted) -> None:
    for name in wanted:
        path = folder / f"{name}.npy"
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, VALUES[name])


def test_a_folder_of_all_values(tmp_path):
    dumped(tmp_path / "phone", VALUES)
    assert names(found(tmp_path, "phone")) == [["t3"]]


def test_a_folder_of_a_few_values_names_what_stands_between(tmp_path):
    dumped(tmp_path / "phone", ["h1", "h4", "logits"])
    result = found(tmp_path, "phone")
    assert names(result) == [["h4"]]
    assert {"t3", "h3"} <= set(result.culprits[0].steps[0].covers)


@pytest.mark.parametrize(("name", "save"), [
    ("phone.npz", lambda path, arrays: np.savez(path, **arrays)),
    ("phone.safetensors", lambda path, arrays: save_file(arrays, path)),
])  # fmt: skip
def test_one_file_with_the_output_under_its_plain_name(tmp_path, name, save):
    save(tmp_path / name, {"output": VALUES["logits"], "h2": VALUES["h2"], "h3": VALUES["h3"]})
    assert names(found(tmp_path, name)) == [["h3"]]


@pytest.mark.parametrize(
    ("held", "told"),
    [
        ({"h2": VALUES["h2"]}, "holds no values of the output `logits`"),
        ({"logits": VALUES["logits"][:100]}, "was dumped for 100 samples"),
        ({"logits": np.asarray(3.0)}, "is a single number"),
    ],
)
def test_dumps_that_lack_something(tmp_path, held, told):
    np.savez(tmp_path / "phone.npz", **held)
    with pytest.raises(BisectionError, match=told):
        found(tmp_path, "phone.npz")


def test_a_file_that_is_no_dump(tmp_path):
    (tmp_path / "phone.npz").write_bytes(b"nothing")
    with pytest.raises(BisectionError, match="cannot read the dumped tensors"):
        found(tmp_path, "phone.npz")


def test_rows_are_looked_up(tmp_path):
    dumped(tmp_path / "phone", ["logits"])
    candidate = candidate_of("phone", Setting(tmp_path, "cpu", REFERENCE, REFERENCE, [X]))
    np.testing.assert_array_equal(candidate.run({SAMPLE: np.array([5, 2])}, ["logits"])["logits"], VALUES["logits"][[5, 2]])


class Own:
    """As little as a candidate can be."""

    outputs = ("logits",)

    def run(self, inputs, wanted):
        return FAULTY.run(inputs, wanted)


class Watched(Own):
    observables = ("h2", "h3", "t3")


class Broken(Own):
    def run(self, inputs, wanted):
        return {}


def test_an_object_with_outputs_alone_can_only_be_judged_as_a_whole(tmp_path):
    assert names(found(tmp_path, Own())) == [["logits"]]


def test_an_object_with_names_of_values(tmp_path):
    assert names(found(tmp_path, Watched())) == [["t3"]]


def test_an_object_that_leaves_a_value_out(tmp_path):
    with pytest.raises(BisectionError, match="gave no `logits`"):
        found(tmp_path, Broken())
