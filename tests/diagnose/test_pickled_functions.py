"""Functions that are replaced while a program keeps them are copied and pickled as they are without."""

from __future__ import annotations

import copy
import pickle

import pytest

torch = pytest.importorskip("torch")

from dllint.diagnose.probes.patching import Patches  # noqa: E402

OWNERS = [(torch, name) for name in ("relu", "relu_", "sigmoid", "tanh", "softmax")]
OWNERS += [(torch.nn.functional, "cross_entropy")]


def through(original, *args, **kwargs):
    return original(*args, **kwargs)


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("is_back", [False, True])
@pytest.mark.parametrize(("owner", "name"), OWNERS, ids=[name for _, name in OWNERS])
def test_what_is_kept_is_pickled_as_without(owner, name, is_back, layers):
    before = getattr(owner, name)
    plain = pickle.dumps(before)
    patches = [Patches() for _ in range(layers)]
    for one in patches:
        one.wrap(owner, name, through)
    try:
        kept = {"function": getattr(owner, name)}
        if is_back and name != "cross_entropy":
            # Those of Python are replaced from beginning to end.
            for one in reversed(patches):
                one.undo()
        assert copy.deepcopy(kept)["function"] is kept["function"]
        assert copy.copy(kept["function"]) is kept["function"]
        assert pickle.dumps(kept["function"]) == plain
        if name != "cross_entropy":
            assert pickle.dumps(before) == plain
    finally:
        for one in reversed(patches):
            one.undo()
    assert getattr(owner, name) is before
