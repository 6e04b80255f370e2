"""Programs with a subclass of a modelled class: how it is built, and what is then done with it."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from dllint.frameworks import registry
from dllint.frameworks.binding import REQUIRED
from dllint.frameworks.machine import HANDLERS, LIBRARY_BASES
from dllint.lower.attributes import NATIVE

#: Classes that no table of ours need name, and that programs derive from.
_COMMON: Final = (
    "builtins.object", "builtins.Exception", "builtins.ValueError", "abc.ABC", "enum.Enum", "enum.IntEnum", "typing.NamedTuple",
    "typing.Generic", "collections.OrderedDict", "collections.defaultdict", "collections.Counter", "collections.deque",
    "collections.UserDict", "collections.UserList", "collections.abc.Mapping", "collections.abc.Sequence",
    "collections.abc.Iterator", "threading.Thread", "argparse.Action", "logging.Handler", "torch.Tensor", "numpy.ndarray",
    "torch.nn.Parameter", "torch.nn.Module", "torch.optim.Optimizer", "torch.optim.lr_scheduler.LRScheduler",
    "torch.utils.data.Dataset", "torch.utils.data.IterableDataset", "torch.utils.data.DataLoader", "torch.utils.data.Sampler",
    "torch.autograd.Function", "keras.layers.Layer", "keras.Model", "keras.Sequential", "keras.losses.Loss",
    "keras.metrics.Metric", "keras.optimizers.Optimizer", "keras.callbacks.Callback", "keras.utils.Sequence",
    "keras.utils.PyDataset", "keras.regularizers.Regularizer", "keras.initializers.Initializer", "keras.constraints.Constraint",
)  # fmt: skip

#: What a parameter without a default may be given.
_ARGUMENTS: Final[Mapping[str, str]] = {
    "kernel_size": "3", "pool_size": "2", "in_channels": "3", "out_channels": "4", "in_features": "3", "out_features": "4",
    "input_size": "3", "hidden_size": "4", "num_embeddings": "9", "embedding_dim": "4", "input_dim": "9", "output_dim": "4",
    "num_features": "3", "normalized_shape": "3", "num_groups": "3", "num_channels": "3", "units": "4", "filters": "4",
    "embed_dim": "4", "num_heads": "2", "d_model": "4", "nhead": "2", "params": "[torch.nn.Parameter(torch.zeros(2))]",
    "optimizer": "torch.optim.SGD([torch.nn.Parameter(torch.zeros(2))], lr=0.1)", "dataset": "[torch.zeros(3), torch.ones(3)]",
    "lr": "0.1", "step_size": "2", "milestones": "[1, 2]", "gamma": "0.5", "lr_lambda": "lambda step: 0.5", "p": "0.5",
    "rate": "0.5", "lower": "-1.0", "upper": "1.0", "size": "(4, 4)", "target_shape": "(3,)", "transforms": "[]",
    "modules": "[torch.nn.ReLU()]", "layers": "[torch.nn.ReLU()]", "data": "[1, 2]", "mean": "[0.5]", "std": "[0.5]",
    "function": "lambda x: x", "lambd": "lambda x: x", "layer": "keras.layers.Dense(2)", "root": "'data'",
    "data_source": "[1, 2, 3]", "sampler": "[0, 1]", "batch_size": "2", "drop_last": "False", "tensors": "torch.zeros(2, 3)",
    "output_size": "2", "scale_factor": "2", "padding": "1", "num_classes": "3", "n_classes": "3",
}  # fmt: skip
_ANY_ARGUMENT: Final = "2"

#: A name for what is done with an object → the statement that does it.
USES: Final[Mapping[str, str]] = {
    "call": "return one(torch.zeros(2, 3))",
    "call_image": "return one(torch.zeros(2, 3, 8, 8)).shape",
    "call_nothing": "return one()",
    "call_array": "return one(numpy.zeros((2, 3)))",
    "two_arguments": "return one(torch.zeros(2, 3), torch.zeros(2, 3))",
    "index": "return one[0]",
    "key": "return one['a']",
    "store": "one['a'] = 3; return one['a']",
    "length": "return [0] * len(one)",
    "iterate": "return [item for item in one]",
    "unpack": "first, *others = one; return first",
    "take": "return next(iter(one))",
    "member": "return 3 in one",
    "truth": "return 1 if one else torch.zeros(2, 3) @ torch.zeros(3, 2)",
    "attribute": "return one.extra + 1",
    "set": "one.other = torch.zeros(3); return one.other + 1",
    "text": "return f'{one} {one!r}'",
    "equal": "return one == 3, one != one, {one: 1}",
    "sum": "return one + one",
    "product": "return one * 2",
    "convert": "return list(one), tuple(one)",
    "parameters": "return [p.shape for p in one.parameters()]",
    "device": "return one.to('cpu').train().eval()",
    "state": "return one.state_dict()",
    "items": "return [(k, v) for k, v in one.items()], one.keys(), one.get('a')",
    "append": "one.append(torch.nn.ReLU()); return one[-1]",
    "extend": "one.extend([1, 2]); return one",
    "update": "one.update({'a': 1}); return one['a']",
    "step": "one.zero_grad(); one.step(); return one.param_groups[0]['lr']",
    "schedule": "one.step(); return one.get_last_lr()",
    "build": "one.build((None, 3)); return one.weights",
    "call_method": "return one.call(torch.zeros(2, 3))",
    "forward": "return one.forward(torch.zeros(2, 3))",
    "compile": "one.compile('sgd', 'mse'); return one.predict(numpy.zeros((2, 3)))",
    "config": "return one.get_config(), one.name",
    "batches": "return [batch.shape for batch in one], one.batch_size",
    "isinstance": "return isinstance(one, Base), type(one).__name__, issubclass(Mine, Base)",
    "shape": "return one.shape, one.dtype, one.mean()",
    "copied": "import copy; return copy.deepcopy(one)",
}  # fmt: skip

#: A name for how the base's constructor runs → the subclass's own one, and the arguments that it is called with.
BUILT: Final[Mapping[str, tuple[str, str]]] = {
    "with super": ("def __init__(self, extra):\n        super().__init__({arguments})\n        self.extra = extra", "3"),
    "without super": ("def __init__(self, extra):\n        self.extra = extra", "3"),
    "passing on": (
        "def __init__(self, *args, **kwargs):\n        super().__init__(*args, **kwargs)\n        self.extra = 3",
        "{arguments}",
    ),
    "no constructor": ("extra = 3", "{arguments}"),
}  # fmt: skip


def modelled() -> list[str]:
    """Every class that the tables of the libraries know, and those that Python itself has."""
    for package in registry.ROOMS:
        registry.load(package)
    found = {*registry._layers, *LIBRARY_BASES, *NATIVE.values(), *_COMMON}
    found.update(base for bases in LIBRARY_BASES.values() for base in bases)
    found.update(name for name in HANDLERS if name.rpartition(".")[2][:1].isupper())
    found.update(name.removesuffix(".__init__") for name in HANDLERS if name.endswith(".__init__"))
    return sorted(name for name in found if "." in name)


def program(base: str, built: str, uses: Iterable[str] = tuple(USES)) -> str:
    """A module with a subclass of ``base`` and one function per use, which each make an object of their own."""
    module, _, name = base.rpartition(".")
    constructor, given = BUILT[built]
    arguments = _arguments(base)
    lines = ["import numpy", "import torch", "import keras", f"from {module} import {name} as Base", "", ""]
    lines += ["class Mine(Base):", "    " + constructor.format(arguments=arguments), "", ""]
    for use in uses:
        lines += [f"def {use}():", f"    one = Mine({given.format(arguments=arguments)})"]
        lines += [f"    {part}" for part in USES[use].split("; ")]
        lines += ["", ""]
    return "\n".join(lines)


def _arguments(base: str) -> str:
    params = registry.parameters(base) or ()
    needed = [p.name for p in params if p.kind in ("pos", "only") and p.name != "self" and p.default is REQUIRED]
    return ", ".join(f"{name}={_ARGUMENTS.get(name, _ANY_ARGUMENT)}" for name in needed)


def functions(text: str) -> dict[int, str]:
    """Line → the function that it stands in."""
    out: dict[int, str] = {}
    current = ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("def "):
            current = line[4:].partition("(")[0]
        if current and line:
            out[number] = current
    return out


def running(text: str) -> set[str]:
    """The uses that the real library carries out."""
    namespace: dict[str, object] = {}
    quiet = io.StringIO()
    with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if not _runs(lambda: exec(compile(text, "subclass", "exec"), namespace)):
            return set()
        return {name for name, use in namespace.items() if name in USES and callable(use) and _runs(use)}


def _runs(call: Callable[[], object]) -> bool:
    try:
        call()
    except BaseException:  # whatever a class of a library raises, exiting included
        return False
    return True
