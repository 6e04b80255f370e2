"""``from_pretrained`` of text models of transformers whose source is not at hand: what they give, by the kind of model.

A model is a module without parts that are known. Its output is a ``ModelOutput`` whose sizes are those of the checkpoint, if
its name is one of ``checkpoints.py``; the rank of what it gives does not depend on that.
"""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import opaque
from dllint.domains.lattice import Unknown
from dllint.frameworks.given import given
from dllint.frameworks.huggingface.checkpoints import CHECKPOINTS, POOLED
from dllint.frameworks.machine import LIBRARY_BASES, Machine, handler
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, Value, unwrap

BASE: Final = "transformers.PreTrainedModel"
MODEL: Final = "transformers.TextModel"
OUTPUT: Final = "transformers.ModelOutput"
CONFIGURATION: Final = "transformers.PretrainedConfig"
LIBRARY_BASES.update({MODEL: (BASE,), CONFIGURATION: ()})

#: Classes of models with a head by the end of their name: what ``logits`` has a row for.
_HEADS: Final = {
    "ForCausalLM": "word", "ForMaskedLM": "word", "ForSequenceClassification": "text", "ForTokenClassification": "token",
    "LMHeadModel": "word", "Model": "",
}  # fmt: skip
#: What ``from_pretrained`` takes that may change the sizes of a checkpoint.
_CHANGES: Final = ("config", "hidden_size", "ignore_mismatched_sizes", "num_labels", "trust_remote_code")


def _register(kind: str, suffix: str, head: str) -> None:
    @handler(f"transformers.{kind}{suffix}.from_pretrained")
    def load(machine: Machine, _: Value, arguments: Arguments) -> Value:
        name = unwrap(arguments.args[0]) if arguments.args else unwrap(arguments.kwargs.get("pretrained_model_name_or_path"))
        known = CHECKPOINTS.get(name) if isinstance(name, str) and not arguments.double_star else None
        changed = any(option in arguments.kwargs for option in _CHANGES if option != "num_labels")
        found, width = known if known is not None and not changed else (kind, opaque("hidden", 1))
        state: dict[str, Value] = {"kind": found, "width": width, "head": head, "labels": _labels(arguments, known, changed)}
        state["pooled"] = POOLED.get(found, False) and unwrap(arguments.kwargs.get("add_pooling_layer", True)) is True
        state["dropout"] = machine.call(LibSymbol("torch.nn.Dropout"), Arguments((0.1,)))
        config = InstanceVal(
            LibSymbol(CONFIGURATION), {"hidden_size": width}, machine.site, open=Unknown("not-followed", "configuration")
        )
        parts = Unknown("not-followed", f"parts of {kind}{suffix}")
        return InstanceVal(LibSymbol(MODEL), {"config": config}, machine.site, open=parts, state=state)


def _labels(arguments: Arguments, known: object, changed: bool) -> Value:
    """The number of classes of a head: as asked for, and 2 without that where the checkpoint has none."""
    asked = unwrap(arguments.kwargs.get("num_labels"))
    if changed or (asked is None and known is None):
        return opaque("labels", 1)
    return 2 if asked is None else asked


for _kind in ("Auto", *POOLED):
    for _suffix, _head in _HEADS.items():
        _register(_kind, _suffix, _head)


@handler(f"{MODEL}.forward", on=InstanceVal)
def forward(machine: Machine, model: InstanceVal, arguments: Arguments) -> Value:
    """The hidden states of each token and, of some models, of each text; of a model with a head, its scores."""
    values = given("input_ids=None, *args, **kwargs", arguments)
    ids = values.get("input_ids")
    ids = unwrap(arguments.kwargs.get("inputs_embeds")) if ids is None else ids
    kind, head = model.kept("kind"), model.kept("head")
    if kind == "Auto" and not _holds_tokens(ids, arguments):
        return machine.unknown("not-followed", "a model of unknown kind")
    if set(model.attrs) != {"config"}:
        return machine.unknown("not-followed", "a model with replaced parts")
    attrs = _hidden(machine, model, ids) if head == "" else _scores(machine, model, ids, head, arguments)
    output = InstanceVal(LibSymbol(OUTPUT), attrs, machine.site, open=Unknown("not-followed", "output of a model"))
    asked = unwrap(arguments.kwargs.get("return_dict", True))
    return output if asked is True or asked is None else machine.unknown("not-followed", "output as a tuple")


def _holds_tokens(ids: Value, arguments: Arguments) -> bool:
    """Whether what a model of unknown kind gets are tokens, not pictures or sounds."""
    return "input_ids" in arguments.kwargs or (isinstance(ids, TensorVal) and "attention_mask" in arguments.kwargs)


def _features(machine: Machine, ids: Value, width: Value, each: bool) -> Value:
    args: dict[str, Value] = {"x": ids, "width": width, "each": each}
    return machine.emit("token_features", args, framework="torch", spelled=MODEL)


def _hidden(machine: Machine, model: InstanceVal, ids: Value) -> dict[str, Value]:
    width = model.kept("width")
    attrs = {"last_hidden_state": _features(machine, ids, width, each=True)}
    if model.kept("pooled") is True:
        attrs["pooler_output"] = _features(machine, ids, width, each=False)
    return attrs


def _scores(machine: Machine, model: InstanceVal, ids: Value, head: Value, arguments: Arguments) -> dict[str, Value]:
    attrs: dict[str, Value] = {}
    if unwrap(arguments.kwargs.get("labels")) is not None:
        attrs["loss"] = machine.unknown("not-followed", "loss of a model")
    width = opaque("words", 1) if head == "word" else model.kept("labels")
    attrs["logits"] = _features(machine, ids, width, each=head != "text")
    return attrs
