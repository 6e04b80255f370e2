"""DLR104: a file is loaded as something else than the same program has saved in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.modules import is_module
from dllint.analysis.said_in_files import any_says
from dllint.analysis.saved_files import path_of
from dllint.finding import Confidence, Finding, Severity
from dllint.frameworks import paths
from dllint.ir.events import Eval, LibraryCall, ModuleCall, OpaqueCall, Train
from dllint.ir.program import Event, Program
from dllint.ir.values import DictVal, unwrap
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted
from dllint.source.walk import dotted

_SAVE: Final = "torch.save"
_LOAD: Final = "torch.load"
_STATE: Final = "torch.nn.Module.state_dict"
_TAKE: Final = "torch.nn.Module.load_state_dict"
_SAVE_WEIGHTS: Final = "keras.Model.save_weights"
#: The last part of the name of methods that save a model.
_SAVING: Final = (".save", ".save_model", ".export")
_LOAD_MODELS: Final = frozenset({"keras.saving.load_model", "keras.models.load_model"})
_LOADS: Final = frozenset({_LOAD, "keras.Model.load_weights"})
#: How files of models and weights end.
_KINDS: Final = frozenset({"pt", "pth", "bin", "ckpt", "pkl", "tar", "model", "h5", "hdf5", "keras"})
#: Which of the states of one model a name says that a file holds.
_STATES: Final = frozenset({"best", "last", "latest", "final", "newest"})
#: From so much likeness on, and from so many letters on, the names of two folders are one, misspelt.
_ALIKE: Final = 0.85
_SHORTEST: Final = 4
#: How code makes files in other ways than by saving: it copies, renames, links or downloads them, or leaves that to a program.
_MAKES_FILES: Final = re.compile(
    r"\bshutil\b|\bsubprocess\b|\bos\.(?:system|popen|exec\w+|spawn\w+|rename|renames|replace|link|symlink)\b|\.rename\("
    r"|\b(?:symlink|hardlink|link)_to\b|^[ \t]*![ \t]*\w|download\w*\(|urlretrieve|\bwget\b|\bgdown\b",
    re.IGNORECASE | re.MULTILINE,
)
_ASKS: Final = re.compile(r"exist|is_?file|resume|glob|listdir", re.IGNORECASE)


class CheckpointPathUnresolved(Rule[Program]):
    """A file is loaded in another way than it was saved.

    ## What it finds
    Of a path that one program writes and reads: a `state_dict()` that is used as a model after `torch.load`, a whole model that
    `load_state_dict` is given, and a file of `save_weights` that `load_model` reads. And a file that the program never writes,
    whose name is made of the same words in another order, or of the same letters, as that of one which it saves before, or has
    another ending, or lacks the counter of that (`f"best_{epoch}.pt"`), or whose folder's name differs by a letter, or which is
    the best where the last one is saved.

    ## Why it is bad
    What was saved is a dict of tensors, a model, or weights without a model. Taken for another of these, it raises when the
    checkpoint is needed, hours after it was written. A file under another name is not found, or is an old one.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    torch.save(model.state_dict(), "model.pt")
    restored = torch.load("model.pt")
    restored.eval()  # hint: [DLR104]
    print(restored(torch.randn(4, 8)))
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    torch.save(model.state_dict(), "model.pt")
    restored = nn.Linear(8, 2)
    restored.load_state_dict(torch.load("model.pt"))
    restored.eval()
    print(restored(torch.randn(4, 8)))
    ```

    ## When it stays silent
    Paths that are not known or that others write, programs that copy, rename or download files, and files whose contents are
    taken out.
    ```python
    import keras
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    torch.save({"model": model.state_dict(), "epoch": 3}, "run.pt")
    model.load_state_dict(torch.load("run.pt")["model"])
    torch.load("other.pt").eval()
    network = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
    network.save_weights("net.weights.h5")
    network.load_weights("net.weights.h5")
    network.save("net.keras")
    print(keras.models.load_model("net.keras"))
    ```

    ## References
    - PyTorch tutorial, "Saving and Loading Models". Keras guide, "Save, serialize, and export models".
    """

    code = "DLR104"
    name = "checkpoint-path-unresolved"
    severity = Severity.HINT
    confidence = Confidence.HIGH
    topics: ClassVar[tuple[str, ...]] = ("program",)
    needs: ClassVar[tuple[str, ...]] = (
        "call:torch.save",
        "call:*.save_weights",
        "call:*.save",
        "call:*.save_model",
        "call:*.export",
    )
    default = "hint"

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The files of a program that are taken for something else, each place once."""
        calls = context.facts.events(LibraryCall)
        if not any(map(_saves, calls)):
            return
        saved: dict[str, tuple[str, LibraryCall]] = {}
        loaded: list[tuple[LibraryCall, str, LibraryCall]] = []
        states = [call.result for call in calls if call.name == _STATE]
        seen = set[int]()
        for event in item.events:
            if isinstance(event, LibraryCall):
                _note(event, saved, loaded, states)
            wrong = _wrong(event, saved, loaded)
            if wrong is None or id(event.site.node) in seen:
                continue
            seen.add(id(event.site.node))
            what, used, save, advice = wrong
            written = context.related(save, "it is saved here")
            yield context.finding(
                self,
                event,
                f"{quoted(context.text(event))} takes the file for {used}, which holds {what}",
                advice=advice,
                related=[written] if written else [],
            )
        yield from self._misspelt(calls, context)

    def _misspelt(self, calls: Sequence[LibraryCall], context: Context) -> Iterator[Finding]:
        """The files that are loaded under nearly the name under which the program saves another, and which it never writes."""
        saves = [(call, _numbered(call) or path_of(call)) for call in calls if _saves(call)]
        written = {path for _, path in saves if isinstance(path, str)}
        known = len({id(call) for call, path in saves if isinstance(path, str)}) == len(saves)
        if not known or _makes_files(calls, context):
            return
        seen = set[int]()
        for number, call in enumerate(calls):
            path = path_of(call) if call.name in _LOADS or call.name in _LOAD_MODELS else None
            if not isinstance(path, str) or path in written or id(call.site.node) in seen:
                continue
            if _is_asked_for(call) or _is_given_elsewhere(path, context):
                continue
            before = {id(other) for other in calls[:number]}
            alike = (save for save, other in saves if id(save) in before and _is_slip(path, str(other), save))
            like = next(alike, None)
            if like is not None:
                seen.add(id(call.site.node))
                place = context.related(like, "it is saved here")
                yield context.finding(
                    self,
                    call,
                    f"{quoted(path)} is loaded, and what this program saves is {_shown(like, context)}",
                    advice="use one name for both, such as a constant",
                    related=[place] if place else [],
                    kind="misspelt",
                )


#: Counters that stand in names of files.
_COUNTER: Final = re.compile(r"(?:^|_)(?:epoch|ep|step|iter|iteration|i|n|num|number)(?:$|_)", re.IGNORECASE)


def _numbered(call: LibraryCall) -> str | None:
    """The path that a call writes to under a name with a counter in it (``f"best_{epoch}.pt"``), with ``0`` in its place;
    ``None`` for other paths that are not known."""
    texts = _templates(call)
    if len(texts) != 1:
        return None
    path = ""
    for part in texts[0].parts:
        if isinstance(part, cst.FormattedStringText):
            path += part.value
        elif isinstance(part, cst.FormattedStringExpression) and _COUNTER.search(_last_name(part.expression)):
            path += "0"
        else:
            return None
    return path


def _templates(call: LibraryCall) -> list[cst.FormattedString]:
    """The texts with values in them (``f"best_{epoch}.pt"``) that are arguments of a call."""
    arguments = call.site.node.args if isinstance(call.site.node, cst.Call) else ()
    return [part.value for part in arguments if isinstance(part.value, cst.FormattedString)]


def _last_name(expression: cst.BaseExpression) -> str:
    """The last part of a name or dotted name; empty for anything else."""
    return (dotted(expression) or "").rpartition(".")[2]


def _saves(call: LibraryCall) -> bool:
    """Whether a call writes a model, weights or a checkpoint to a file."""
    return call.name in (_SAVE, _SAVE_WEIGHTS) or call.name.endswith(_SAVING)


def _is_asked_for(call: LibraryCall) -> bool:
    """Whether a file is loaded only where a condition has asked for one."""
    return any(_ASKS.search(condition.text) for condition in call.path)


def _is_given_elsewhere(path: str, context: Context) -> bool:
    """Whether anything but what loads is given a path, and may write to it."""
    events = (event for event in context.program.events if isinstance(event, (LibraryCall, OpaqueCall)))
    for event in events:
        if event.name in _LOADS or event.name in _LOAD_MODELS or event.name.startswith(("os.path.", "pathlib.")):
            continue
        values = event.given if isinstance(event, LibraryCall) else event.values
        if any(paths.path_of(unwrap(value)) == path for value in values):
            return True
    return False


def _makes_files(calls: Sequence[LibraryCall], context: Context) -> bool:
    """Whether a file of the program may make files that no call known here saves."""
    return any_says((context.document, *(call.site.document for call in calls)), _MAKES_FILES)


def _is_like(path: str, other: str) -> bool:
    """Whether two paths of one folder are made of the same words in another order, or the same letters and other signs, or have
    other endings, or name another state of the model, or only the names of their folders differ by a letter: a slip of whoever
    wrote them. Names that differ in numbers are those of different files."""
    (folder, _, name), (place, _, saved) = path.rpartition("/"), other.rpartition("/")
    if name == saved and folder != place:
        return folder.rpartition("/")[0] == place.rpartition("/")[0] and _is_misspelt(folder, place)
    (stem, _, kind), (base, _, other_kind) = name.rpartition("."), saved.rpartition(".")
    if folder == place and stem and stem == base and kind != other_kind:
        return {kind.lower(), other_kind.lower()} <= _KINDS
    words, others = (re.findall(r"[a-z]+|\d+", text.lower()) for text in (name, saved))
    alike = sorted(words) == sorted(others) or "".join(words) == "".join(others) or _is_other_state(words, others)
    return folder == place and name != saved and alike


def _is_other_state(words: Sequence[str], others: Sequence[str]) -> bool:
    """Whether the words of two names are the same but for one, which says that it is the best state, the last, or another."""
    differ = [{one, other} for one, other in zip(words, others, strict=False) if one != other]
    return len(words) == len(others) and len(differ) == 1 and differ[0] <= _STATES


def _is_slip(path: str, other: str, save: LibraryCall) -> bool:
    """Whether a file is loaded under nearly the name under which another is saved, or under that without its counter."""
    return _is_like(path, other) or (_numbered(save) is not None and re.sub(r"[-_.]?0(?=\.\w+$)", "", other) == path)


def _shown(save: LibraryCall, context: Context) -> str:
    """The path that a call writes to, as a message shows it: with a counter in it, as it is written."""
    texts = _templates(save)
    return quoted(context.text(texts[0]) if _numbered(save) is not None else str(path_of(save)))


def _is_misspelt(folder: str, place: str) -> bool:
    """Whether the names of two folders differ by a letter or two: one in the plural, or mistyped."""
    one, other = folder.rpartition("/")[2].lower(), place.rpartition("/")[2].lower()
    alike = SequenceMatcher(None, one, other, autojunk=False).ratio() >= _ALIKE
    return alike and re.sub(r"\D", "", one) == re.sub(r"\D", "", other) and min(len(one), len(other)) >= _SHORTEST


def _note(
    call: LibraryCall,
    saved: dict[str, tuple[str, LibraryCall]],
    loaded: list[tuple[LibraryCall, str, LibraryCall]],
    states: Sequence[object],
) -> None:
    """Keep what a call saves under a path, or loads from it."""
    path = path_of(call)
    if path is None:
        return
    if call.name == _SAVE:
        value = unwrap(call.bound.get("obj"))
        if any(value is state for state in states):
            saved[path] = ("a dict of tensors", call)
        elif is_module(value):
            saved[path] = ("a whole model", call)
        elif isinstance(value, DictVal) and value.items:
            saved[path] = ("a dict of several things", call)
        else:
            saved.pop(path, None)
    elif call.name == _SAVE_WEIGHTS:
        saved[path] = ("weights without a model", call)
    elif call.name == _LOAD and path in saved:
        loaded.append((call, *saved[path]))
    elif call.name.endswith((".save", ".save_model", ".export")):
        saved.pop(path, None)


def _wrong(
    event: Event, saved: dict[str, tuple[str, LibraryCall]], loaded: list[tuple[LibraryCall, str, LibraryCall]]
) -> tuple[str, str, LibraryCall, str] | None:
    """What a file holds that an event takes for something else, for what, the call that saved it, and what to do."""
    if isinstance(event, LibraryCall) and event.name in _LOAD_MODELS:
        path = path_of(event)
        what, save = saved.get(path, ("", None)) if isinstance(path, str) else ("", None)
        if save is not None and save.name == _SAVE_WEIGHTS:
            return what, "a model", save, "build the model, and call `load_weights`"
    for load, what, save in loaded:
        used = event.target if isinstance(event, (Eval, Train)) else event.callee if isinstance(event, ModuleCall) else None
        if what.startswith("a dict of") and used is load.result:
            entry = "the dict" if what == "a dict of tensors" else "its entry for the model"
            return what, "a model", save, f"build the model, and pass {entry} to its `load_state_dict`"
        takes = isinstance(event, LibraryCall) and event.name == _TAKE and event.bound.get("state_dict") is load.result
        if what == "a whole model" and takes:
            return what, "a dict of tensors", save, "take `state_dict()` of what is loaded"
    return None
