"""Where code uses as an object what may be None, it is something else that is meant: no exception is believed in there."""

from __future__ import annotations

import textwrap
from itertools import product

import pytest

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from dllint.ir.values import Assumed
from tests.lower.tracing import lower, values

#: Uses of ``size``, a default of None, that Python would not let pass.
USES = (
    "size[0]", "size.width", "size.items()", "size(3)", "size['a'](2)", "assert size is not None", "assert size",
    "assert size is not None and size[0] > 1", "if size is None:\n    raise ValueError('size')",
    "if not size:\n    raise ValueError('size')", "if size is None:\n    if dim > 0 or dim <= 0:\n        raise TypeError",
    "assert exists(size)", "if not exists(size):\n    raise KeyError(dim)", "assert all([exists(size), exists(dim)])",
)  # fmt: skip
#: Where the default is: of a function, a method, a constructor, or of what an unknown ``**options`` may give.
ENTRIES = {
    "method": (
        "class Net(nn.Module):\n    def __init__(self, dim):\n        super().__init__()\n"
        "        self.fc = nn.Linear(8, 3)\n\n"
        "    def forward(self, x, size=None, dim=4):\n{use}\n"
        "        return nn.functional.linear(self.fc(x), torch.ones(2, 5))\n"
    ),
    "constructor": (
        "class Net(nn.Module):\n    def __init__(self, dim, size=None):\n        super().__init__()\n{use}\n"
        "        self.fc = nn.Linear(8, 3)\n\n    def forward(self, x):\n"
        "        return nn.functional.linear(self.fc(x), torch.ones(2, 5))\n"
    ),
    "options": (
        "class Net(nn.Module):\n    def __init__(self, dim, size=None):\n        super().__init__()\n{use}\n"
        "        self.fc = nn.Linear(8, 3)\n\n    def forward(self, x):\n"
        "        return nn.functional.linear(self.fc(x), torch.ones(2, 5))\n\n"
        "def make(dim, **options):\n    return Net(dim, **options)(torch.ones(1, 8))\n"
    ),
}
HEAD = "import torch\nfrom torch import nn\n\n\ndef exists(value):\n    return value is not None\n\n\n"


@pytest.mark.parametrize(("use", "entry"), list(product(USES, ENTRIES)))
def test_what_stands_behind_is_looked_at(use, entry):
    lowered = lower(HEAD + ENTRIES[entry].format(use=textwrap.indent(use, " " * 8)))
    told = [op for program in lowered.programs for op in program.ops if op.faults]
    assert told
    assert not any(condition.behind_error for op in told for condition in op.path)


#: What sets ``self.kept``, which is None after ``__init__``, at a time that nobody knows.
SETTERS = (
    "    def fill(self, x):\n        self.kept = x\n",
    "    def fill(self, x):\n        self.kept, self.other = x, x\n",
    "    def fill(self, x):\n        self.kept: torch.Tensor = x\n",
)  # fmt: skip


@pytest.mark.parametrize(("setter", "use"), list(product(SETTERS, ("self.kept.shape", "self.kept[0]", "assert self.kept"))))
def test_an_attribute_that_another_method_sets(setter, use):
    text = (
        f"{HEAD}class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.kept = None\n"
        f"        self.fc = nn.Linear(8, 3)\n\n{setter}\n    def forward(self, x):\n        {use}\n"
        "        return nn.functional.linear(self.fc(x), torch.ones(2, 5))\n"
    )
    told = [op for program in lower(text).programs for op in program.ops if op.faults]
    assert told
    assert not any(condition.behind_error for op in told for condition in op.path)


#: How a library gets the method ``self.keep``, which it calls when it likes.
HANDINGS = (
    "layer.register_forward_hook(self.keep)", "nn.Linear(2, 3).register_forward_hook(self.keep)", "register(self.keep)",
    "foreign.on_step(callback=self.keep)", "foreign.Watcher(self.keep)", "self.fc.register_full_backward_hook(self.keep)",
    "layer.register_forward_hook(inner)", "self.fc.register_forward_hook(hook=inner)", "register(inner)",
)  # fmt: skip


@pytest.mark.parametrize("handing", HANDINGS)
def test_an_attribute_that_a_callback_sets(handing):
    text = f"""
        import foreign
        from foreign import register, layer
        from torch import nn
        class Watch:
            def __init__(self):
                self.kept, self.quiet = None, None
                self.fc = nn.Linear(2, 3)
                def inner(*given):
                    self.kept = given
                {handing}
                self.kept = None
            def keep(self, *given):
                self.kept = given
        watch = Watch()
        kept, quiet = watch.kept, watch.quiet
        try:
            x = kept.shape
        except AttributeError:
            x = 1
    """
    found = values(text)
    assert isinstance(found["kept"], Assumed)
    assert found["quiet"] is None
    assert isinstance(found["x"], Unknown)


#: Two methods that are handed to a library on different paths: both attributes may be set later.
PATHS = (
    "if flag:\n    {a}\nelse:\n    {b}", "if flag:\n    {a}\nelif flag > 1:\n    {b}", "{a} if flag else {b}",
    "while flag:\n    {a}\n    if flag > 1:\n        break\nelse:\n    {b}", "for _ in flag:\n    {a}\n    {b}",
    "try:\n    {a}\nfinally:\n    {b}", "match flag:\n    case 1:\n        {a}\n    case _:\n        {b}",
    "if flag:\n    if flag > 1:\n        {a}\n    else:\n        {b}",
)  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_attributes_that_callbacks_of_several_paths_set(path):
    handed = path.format(a="register(watch.keep)", b="register(watch.leave)")
    text = (
        "from foreign import flag, register\nclass Watch:\n    def __init__(self):\n"
        "        self.kept, self.left, self.quiet = None, None, None\n"
        "    def keep(self, *given):\n        self.kept = given\n    def leave(self, *given):\n        self.left = given\n"
        f"watch = Watch()\n{handed}\nregister(watch.keep)\nkept, left, quiet = watch.kept, watch.left, watch.quiet\n"
    )
    assert lower(text).failures == []
    found = values(text)
    assert isinstance(found["kept"], Assumed)
    assert found["left"] is not None
    assert found["quiet"] is None


#: Uses of a value that is None on one path.
CHOICES = ("f(torch.ones(2, 3))", "f.weight", "f.weight.shape", "f.forward(torch.ones(2, 3))", "pair[0]", "pair[-1].shape")


@pytest.mark.parametrize(("use", "error"), [(use, kind) for use in CHOICES for kind in ("TypeError", "AttributeError", "")])
def test_one_of_several_values(use, error):
    caught = f"try:\n    y = {use}\nexcept {error}:\n    y = 5\n" if error else f"y = {use}\n"
    text = (
        "import os\nimport torch\nfrom torch import nn\nflag = os.environ.get('flag')\nf = nn.Linear(3, 4) if flag else None\n"
        f"pair = None if flag else (1, torch.ones(2))\n{caught}"
    )
    certain = text.replace(" else None", "").replace(" if flag", "").replace("None else ", "")
    found, plain = values(text)["y"], values(certain)["y"]
    if not error:
        assert type(found) is type(plain)
        assert not isinstance(found, TensorVal) or found.shape == plain.shape
    else:
        raised = "TypeError" if use.startswith(("f(", "pair")) else "AttributeError"
        assert (found == 5) is False
        assert (type(found) is type(plain)) is (raised != error) or isinstance(plain, int)


@pytest.mark.parametrize(
    "raising", ["None.shape", "None[0]", "None()", "[].pop()", "{}['a']", "(1,)[2]", "'a' + 1", "[1] + None", "int('many')"]
)
def test_what_surely_raises_does(raising):
    found = values(f"try:\n    y = {raising}\nexcept Exception:\n    y = 'raised'\n")
    assert found["y"] == "raised"
