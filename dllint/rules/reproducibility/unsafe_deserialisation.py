"""DLR106: a file that was downloaded is unpickled, which runs whatever code it names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.own_statements import enclosing
from dllint.domains.lattice import Unknown
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.arguments import keyword_argument, replace_value
from dllint.fixes.boundary import builder
from dllint.ir.events import LibraryCall
from dllint.ir.values import InstanceVal, LibSymbol, Value, unwrap
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import assigned_name, quoted

#: What loads pickled objects always → the parameters of the file; without a signature, it is the first argument.
_PICKLES: Final = frozenset({
    "pickle.load", "pickle.loads", "joblib.load", "dill.load", "dill.loads", "cloudpickle.load", "cloudpickle.loads",
    "pandas.read_pickle",
})  # fmt: skip
#: What does so where it is told to → the keyword that tells it, and the value that does.
_TOLD: Final = {
    "torch.load": ("weights_only", False),
    "keras.saving.load_model": ("safe_mode", False),
    "keras.models.load_model": ("safe_mode", False),
    "numpy.load": ("allow_pickle", True),
}
#: What fetches a file → the position and the keywords of the path that it is written to; what it gives counts for all of them.
_DOWNLOADS: Final[dict[str, tuple[int, tuple[str, ...]]]] = {
    "huggingface_hub.hf_hub_download": (99, ()),
    "urllib.request.urlretrieve": (1, ("filename",)),
    "urllib.request.urlopen": (99, ()),
    "requests.get": (99, ()),
    "torch.hub.download_url_to_file": (1, ("dst",)),
    "wget.download": (1, ("out",)),
    "gdown.download": (1, ("output",)),
    "keras.utils.get_file": (99, ()),
}
#: Buffers, which hold what they are given.
_BUFFER: Final = LibSymbol("io.BytesIO")


class UnsafeDeserialisation(Rule[LibraryCall]):
    """A file from the network is unpickled.

    ## What it finds
    `torch.load(…, weights_only=False)`, `pickle.load(…)`, `joblib.load(…)`, `numpy.load(…, allow_pickle=True)` and
    `keras.models.load_model(…, safe_mode=False)` of a file that the same program has downloaded.

    ## Why it is bad
    A pickle is a program: loading it calls what it names. Whoever can change the file on the server, or on the way, runs code
    on every machine that loads it.

    ## Bad
    ```python
    import torch
    from huggingface_hub import hf_hub_download

    path = hf_hub_download("someone/model", "pytorch_model.bin")
    weights = torch.load(path, map_location="cpu", weights_only=False)  # error: [DLR106]
    ```

    ```python
    import pickle

    import torch

    torch.hub.download_url_to_file("https://example.org/model.pkl", "model.pkl")
    with open("model.pkl", "rb") as file:
        model = pickle.load(file)  # error: [DLR106]
    ```

    ## Good
    ```python
    import torch
    from huggingface_hub import hf_hub_download

    path = hf_hub_download("someone/model", "pytorch_model.bin")
    weights = torch.load(path, map_location="cpu", weights_only=True)
    ```

    ## When it stays silent
    Files of the program's own, files of which it is not known where they come from, and loaders that take tensors only.
    ```python
    import pickle

    import torch
    from huggingface_hub import hf_hub_download
    from safetensors.torch import load_file

    torch.save({"epoch": 3}, "run.pt")
    print(torch.load("run.pt", weights_only=False), load_file(hf_hub_download("someone/model", "model.safetensors")))
    with open("vocabulary.pkl", "rb") as file:
        words = pickle.load(file)


    def resume(path):
        return torch.load(path, weights_only=False)
    ```

    ## References
    - PyTorch documentation, `torch.load`: the warning about `weights_only=False`.
    - Python documentation, `pickle`: "Only unpickle data you trust".
    """

    code = "DLR106"
    name = "unsafe-deserialisation"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability: ClassVar[Applicability | None] = Applicability.UNSAFE
    frameworks = ("torch", "keras")
    topics: ClassVar[tuple[str, ...]] = ("event:call",)
    calls: ClassVar[tuple[str, ...]] = (*sorted(_PICKLES), *_TOLD)
    default = "off"

    def check(self, item: LibraryCall, context: Context) -> Iterator[Finding]:
        """A call that loads a file."""
        if item.name not in _PICKLES and item.name not in _TOLD:
            return
        told = _TOLD.get(item.name)
        if told is not None and unwrap(item.bound.get(told[0])) is not told[1]:
            return
        download = _download(item, context) if item.given else None
        if download is None:
            return
        fetched = context.related(download, "the file is downloaded here")
        option = f", as `{told[0]}={told[1]}` allows" if told is not None else ""
        yield context.finding(
            self,
            item,
            f"{quoted(item.name)} runs whatever code the downloaded file names{option}",
            advice=_ADVICE.get(item.name, "take a format without code in it, such as safetensors"),
            related=[fetched] if fetched else [],
            fixes=_fixes(item, context),
        )


_ADVICE: Final = {
    "torch.load": "pass `weights_only=True`, or load a file of safetensors",
    "keras.saving.load_model": "leave `safe_mode` on",
    "keras.models.load_model": "leave `safe_mode` on",
}


def _download(item: LibraryCall, context: Context) -> LibraryCall | None:
    """The call before this one that has fetched what is loaded."""
    loaded = list(_parts(item.given[0], context))
    last = None
    for call in context.facts.events(LibraryCall):
        if call is item:
            return last
        if call.name in _DOWNLOADS and (_is_opened(call, item, context) or any(_is_from(call, value) for value in loaded)):
            last = call
    return None


def _parts(value: Value, context: Context) -> Iterator[Value]:
    """What is loaded: a path or bytes, those in a buffer included."""
    value = unwrap(value)
    yield value
    if isinstance(value, InstanceVal) and value.cls == _BUFFER:
        made = (call for call in context.facts.events(LibraryCall) if call.result is value and call.given)
        yield from (unwrap(call.given[0]) for call in made)


def _written(call: LibraryCall) -> Iterator[Value]:
    """What a download gives, and the path that it writes to."""
    yield call.result
    position, keywords = _DOWNLOADS[call.name]
    if call.positional > position:
        yield unwrap(call.given[position])
    yield from (unwrap(call.bound[name]) for name in keywords if name in call.bound)


def _is_from(call: LibraryCall, value: Value) -> bool:
    """Whether a value is what a download gives, a part of that, or the path that it writes to."""
    if isinstance(value, Unknown):
        return value.detail == call.name or any(value is one for one in _written(call))
    return isinstance(value, str) and any(isinstance(one, str) and one == value for one in _written(call))


def _is_opened(call: LibraryCall, item: LibraryCall, context: Context) -> bool:
    """Whether what is loaded is a file that is opened under the name of what was downloaded, in the same function."""
    node = item.site.node
    if call.scope != item.scope or not isinstance(node, cst.Call) or not node.args:
        return False
    file = node.args[0].value
    if isinstance(file, cst.Name):
        contexts = (part for part in enclosing(item.site) if isinstance(part, cst.With))
        items = (entry for part in contexts for entry in part.items if entry.asname is not None)
        file = next((entry.item for entry in items if entry.asname and context.text(entry.asname.name) == file.value), file)
    opens = isinstance(file, cst.Call) and context.text(file.func) == "open" and file.args
    path = context.text(file.args[0].value) if isinstance(file, cst.Call) and opens else ""
    return bool(path) and path in (assigned_name(call.site, context), *_path_texts(call, context))


def _path_texts(call: LibraryCall, context: Context) -> Iterator[str]:
    """The source of the path that a download writes to."""
    node, (position, keywords) = call.site.node, _DOWNLOADS[call.name]
    if isinstance(node, cst.Call):
        for number, arg in enumerate(node.args):
            if number == position or (arg.keyword is not None and arg.keyword.value in keywords):
                yield context.text(arg.value)


@builder
def _fixes(item: LibraryCall, context: Context) -> tuple[Fix, ...]:
    given = keyword_argument(item.site.node, "weights_only") if item.name == "torch.load" else None
    if given is None:
        return ()
    return tuple(offer(context, "Load tensors only", replace_value(item.site, given, "True"), Applicability.UNSAFE))
