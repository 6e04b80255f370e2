"""The events of a traced program, one class per kind.

A rule subscribes to the topic ``event:<kind>`` and gets objects of the class with that ``kind``: ``event:fit`` gives
:class:`Fit`. The interpreter adds the place; the other fields are passed by name: ``machine.event(Fit, model=model, …)``.

:class:`ZeroGrad`, :class:`Backward`, :class:`Step`, :class:`Train`, :class:`Eval`, :class:`Compile`, :class:`Fit`, loops and
contexts (``no_grad``, ``autocast``, a tape) are events between the operations; those of helper functions stand where they are
called. Methods of objects of unknown class give the events that their names suggest (``lower/duck.py``). Calls of unknown code
are reported as :class:`OpaqueCall`: what is passed to them may have been changed (``analysis/training.py``). Methods of plain
classes are run as entries if they contain training steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Concatenate, Final, Literal, ParamSpec, TypeAlias

from dllint.ir.program import Condition, Event, Site, TensorVal
from dllint.ir.values import Arguments, FuncVal, InstanceVal, Value

if TYPE_CHECKING:
    import libcst as cst

    #: The argument nodes of a call: by parameter, or as the call has them (by position and keyword).
    Nodes: TypeAlias = Mapping[str, cst.CSTNode] | Mapping[int | str, cst.CSTNode]

#: Whether a region begins or ends.
Phase = Literal["enter", "exit"]
P = ParamSpec("P")
#: The class of a kind of events, as the interpreter calls it: with the site, path, scope and owner, which it knows, and with
#: what whoever makes the event has to state (``P``).
EventKind: TypeAlias = Callable[Concatenate[Site, tuple[Condition, ...], str, Value, P], Event]


# --- calls and objects ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LibraryCall(Event):
    """A library function, method or class was called whose name is resolved, whether or not it is a tensor operation."""

    kind: ClassVar[str] = "call"
    #: The canonical qualified name (``torch.nn.Linear``).
    name: str
    #: The given arguments by parameter; without a known signature, those given by keyword.
    bound: Mapping[str, Value]
    nodes: Nodes
    #: Keywords that the signature lacks.
    unbound: Mapping[str, Value]
    #: The number of positional arguments.
    positional: int
    #: The object whose method is called; ``None`` for a function.
    receiver: Value = None
    #: The arguments as the call has them, whether they are in ``bound`` or not.
    given: tuple[Value, ...] = ()
    result: Value


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Instance(Event):
    """An object of a class of the analysed code was made; its ``__init__`` has run."""

    kind: ClassVar[str] = "instance"
    instance: InstanceVal


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Construction(Event):
    """A layer or container of a library was built."""

    kind: ClassVar[str] = "construct"
    #: The new object; its configuration is ``instance.layer``, ``None`` for a container.
    instance: InstanceVal
    #: The positional arguments of the constructor.
    args: tuple[Value, ...]
    #: The argument nodes: of a layer by canonical parameter of its operation.
    nodes: Nodes


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ModuleCall(Event):
    """A layer, module or model was applied."""

    kind: ClassVar[str] = "module-call"
    #: What was called; an InstanceVal unless its class was called with an unknown object.
    callee: Value
    #: The positional arguments.
    args: tuple[Value, ...]
    #: The arguments that are given by name.
    keywords: Mapping[str, Value]
    result: Value


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ForwardCall(Event):
    """``m.forward(x)`` or ``m.call(x)`` is written out, on another object than the method's own."""

    kind: ClassVar[str] = "forward-call"
    callee: Value


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Binding(Event):
    """The arguments of a call do not fit a function of the analysed code."""

    kind: ClassVar[str] = "binding"
    function: FuncVal
    #: The required parameters that nothing is given for.
    missing: tuple[str, ...]
    #: Keywords that the signature lacks.
    unbound: Mapping[str, Value]
    #: Positional arguments that it has no place for.
    surplus: tuple[Value, ...]
    arguments: Arguments


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Return(Event):
    """A function of the analysed code that takes or returns tensors, or a table of them, was left."""

    kind: ClassVar[str] = "return"
    function: FuncVal
    value: Value


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class OpaqueCall(Event):
    """Training code called a function or method that nothing is known about: it may have changed what it was given."""

    kind: ClassVar[str] = "opaque"
    callee: Value
    #: The name by which it was called, empty if it has none.
    name: str
    #: The receiver (``None`` for a function), then the arguments.
    values: tuple[Value, ...]
    #: What the call gave: the same object wherever it is used; ``None`` if its name has made a known call of it.
    result: Value = None


# --- names and comparisons --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Rebind(Event):
    """A local name that held a tensor or layer is bound again."""

    kind: ClassVar[str] = "rebind"
    name: str
    old: Value
    new: Value
    #: The target of the assignment.
    node: cst.Name


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class IdleComparison(Event):
    """A statement of its own asks whether an attribute equals something, ``layer.trainable == False``: nothing is set."""

    kind: ClassVar[str] = "idle-comparison"
    #: The attribute's name.
    name: str
    #: What it is compared with.
    other: cst.BaseExpression


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SequenceComparison(Event):
    """``==`` or ``!=`` asks whether a tensor of torch equals a sequence, which it never does: the answer is one bool, nothing
    is compared element by element."""

    kind: ClassVar[str] = "sequence-comparison"
    #: A tuple or list.
    sequence: Value
    tensor: TensorVal
    #: Whether the sequence stands to the left of the operator.
    is_left: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Bind(Event):
    """A name is bound that held neither a tensor nor a layer, to a tensor, an object, or a sequence of tensors (as it was
    then)."""

    kind: ClassVar[str] = "bind"
    name: str
    value: Value
    #: The target of the assignment.
    node: cst.Name


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Read(Event):
    """A local name that holds a tensor, or a sequence of tensors (as it was then), was read."""

    kind: ClassVar[str] = "read"
    name: str
    value: Value


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class NanTest(Event):
    """Something was compared with NaN, which equals nothing."""

    kind: ClassVar[str] = "nan-test"
    #: The comparison: ``eq``, ``ne``, ``is``, ``is not``, ``in``, ``not in``.
    name: str
    #: The value of the side that is not NaN, and its expression.
    other: Value
    other_node: cst.BaseExpression
    #: The expression of the side that is NaN, or holds it.
    nan_node: cst.BaseExpression


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Mention(Event):
    """An attribute is a statement of its own (``optimizer.step``): it is read, nothing is done with it, and no statement around
    takes the error that reading it may raise."""

    kind: ClassVar[str] = "mention"
    receiver: Value
    #: The name of the attribute.
    name: str
    value: Value


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Absent(Event):
    """An attribute is read that no table has, nor any code that was seen has set, of a tensor, or of an object of a library's
    class or of one below it; another one is near. No statement around takes the error that this may raise."""

    kind: ClassVar[str] = "absent"
    receiver: Value
    #: The name of the attribute.
    name: str
    #: What the receiver is called, and the attribute that was meant.
    whose: str
    meant: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AttributeWrite(Event):
    """``receiver.name = value`` was executed, outside the methods of the receiver."""

    kind: ClassVar[str] = "attribute-write"
    receiver: Value
    name: str
    value: Value


# --- Keras models -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ModelInput(Event):
    """The symbolic input of a Keras model was declared."""

    kind: ClassVar[str] = "input"
    value: TensorVal


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ModelGraph(Event):
    """A Keras model was built from its inputs to its outputs."""

    kind: ClassVar[str] = "model"
    model: InstanceVal
    inputs: Value
    outputs: Value


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Compile(Event):
    """``model.compile(…)`` of Keras; what was not given is ``None``."""

    kind: ClassVar[str] = "compile"
    model: InstanceVal
    loss: Value
    optimizer: Value
    metrics: Value
    nodes: Nodes


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Fit(Event):
    """A Keras model met data: in ``fit``, ``evaluate``, ``predict`` or a method like these."""

    kind: ClassVar[str] = "fit"
    model: InstanceVal
    #: The name of the method (``fit``, ``train_on_batch``, ``evaluate``).
    method: str
    #: The data and their labels as they were given; ``None`` where there are none.
    x: Value
    y: Value
    #: The argument ``validation_data``.
    validation: Value
    #: What the model computes of a batch of ``x``; ``None`` if that was not followed here.
    prediction: Value
    #: All arguments by today's names of the parameters.
    values: Mapping[str, Value]
    nodes: Nodes


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class EmptyLoader(Event):
    """A loader of torch that leaves incomplete batches out is gone through, and has not the samples for one batch."""

    kind: ClassVar[str] = "empty-loader"
    loader: InstanceVal
    #: How many samples there are, and how many make a batch.
    samples: int
    batch_size: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SingleLeft(Event):
    """A loader of torch that keeps incomplete batches is gone through, and one sample is left over for the last batch."""

    kind: ClassVar[str] = "single-left"
    loader: InstanceVal
    #: How many samples there are, and how many make a full batch.
    samples: int
    batch_size: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class VariablesRead(Event):
    """The variables of a Keras layer or model were asked for: ``model.trainable_variables``."""

    kind: ClassVar[str] = "variables"
    layer: Value
    #: The name of the property.
    name: str
    value: Value


# --- training ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TrainingEvent(Event):
    """The fields of all steps of a training procedure."""

    #: What is cleared, differentiated, stepped, clipped, updated, or set to a mode.
    target: Value
    #: The object whose method was called, where that is another one (a gradient scaler), else ``None``.
    via: Value = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ZeroGrad(TrainingEvent):
    """The gradients of ``target`` were cleared."""

    kind: ClassVar[str] = "zero_grad"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Backward(TrainingEvent):
    """The loss ``target`` was differentiated."""

    kind: ClassVar[str] = "backward"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Step(TrainingEvent):
    """The optimizer or scheduler ``target`` made a step."""

    kind: ClassVar[str] = "step"
    #: What recomputes the loss, if the optimizer is given that.
    closure: Value = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Train(TrainingEvent):
    """The module ``target`` was put into training mode."""

    kind: ClassVar[str] = "train"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Eval(TrainingEvent):
    """The module ``target`` was put into evaluation mode."""

    kind: ClassVar[str] = "eval"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ScaleLoss(TrainingEvent):
    """The gradient scaler ``via`` made the loss ``target`` larger."""

    kind: ClassVar[str] = "scale"
    #: The larger loss.
    result: Value = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class UnscaleGrad(TrainingEvent):
    """The gradient scaler ``via`` made the gradients of the optimizer ``target`` small again."""

    kind: ClassVar[str] = "unscale"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ClipGrad(TrainingEvent):
    """The gradients of the parameters ``target`` were clipped."""

    kind: ClassVar[str] = "clip_grad"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Update(TrainingEvent):
    """The gradient scaler ``target`` adapted its scale."""

    kind: ClassVar[str] = "update"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Kept(Event):
    """Training code added ``value`` to a variable (``total += value``), or put it into a list."""

    kind: ClassVar[str] = "kept"
    value: Value
    #: The variable or attribute that keeps it.
    target: cst.BaseExpression
    #: The list, ``None`` for a sum.
    container: Value


# --- regions ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Edge(Event):
    """The beginning or the end of a region of the trace."""

    phase: Phase


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LoopEdge(Edge):
    """A loop: what is between its edges is performed repeatedly."""

    kind: ClassVar[str] = "loop"
    node: cst.For | cst.While
    #: Of the beginning of a ``for``: what it goes through, else ``None``.
    over: Value = None
    #: Of its end: whether the entry ran out of fuel in it, so that not all that it does was followed.
    is_cut: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ContextEdge(Edge):
    """A context, entered by ``with`` or as a decorator, that matters to training code (:data:`CONTEXTS`), or the ``forward`` of
    an autograd function (:data:`OWN_GRADIENT`)."""

    kind: ClassVar[str] = "context"
    #: Its qualified name (``torch.no_grad``).
    name: str
    #: What ``with`` was given: an object, or the class itself, which is no context (``with torch.no_grad:``).
    manager: Value = None


#: The base of autograd functions; autograd records nothing in their ``forward`` and calls their ``backward`` instead.
OWN_GRADIENT: Final = "torch.autograd.Function"
#: The class of the first argument of a static ``forward``.
FUNCTION_CONTEXT: Final = "torch.autograd.function.FunctionCtx"
#: The methods that training steps consist of, by what calling them means.
BY_METHOD: Final[Mapping[str, type[TrainingEvent]]] = {
    "zero_grad": ZeroGrad, "backward": Backward, "step": Step, "train": Train, "eval": Eval, "unscale_": UnscaleGrad,
}  # fmt: skip
#: The events that a training procedure consists of, in the order in which a step performs them.
TRAINING: Final = (Train, ZeroGrad, ScaleLoss, Backward, UnscaleGrad, ClipGrad, Step, Update, Eval, Compile, Fit)
#: Contexts that decide whether gradients are recorded, and in which precision.
CONTEXTS: Final = frozenset({
    "torch.no_grad", "torch.inference_mode", "torch.enable_grad", "torch.set_grad_enabled", "torch.autocast",
    "tensorflow.GradientTape",
})  # fmt: skip
