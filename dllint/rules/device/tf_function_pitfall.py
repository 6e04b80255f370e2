"""DLG109: a function that TensorFlow makes a graph of draws numbers with Python, or makes variables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.own_statements import enclosing
from dllint.analysis.said_in_files import any_says
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.events import Kept, LibraryCall
from dllint.ir.program import Program, Site, TensorVal
from dllint.ir.values import BoundVal, ClassVal, FuncVal, InstanceVal, LibSymbol
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted
from dllint.source.walk import small_statements, walk

_FUNCTION: Final = "tensorflow.function"
_ALIAS: Final = re.compile(r"^\s*import tensorflow(?:\.compat\.v[12])?(?: as (\w+))?\s*$", re.MULTILINE)
_VARIABLE: Final = "tensorflow.Variable"
#: Random numbers of Python and numpy, and what of their modules draws none.
_RANDOM: Final = ("numpy.random.", "random.")
_DRAWS_NONE: Final = (
    "seed",
    "RandomState",
    "default_rng",
    "Generator",
    "SeedSequence",
    "get_state",
    "set_state",
    "getstate",
    "Random",
)
#: Functions that run Python code each time the graph is run.
_EACH_TIME: Final = re.compile(r"\b(py_function|numpy_function|py_func)$")


#: Methods of Keras models of which `fit` and `evaluate` make graphs, unless they are told not to.
_STEPS: Final = frozenset({"train_step", "test_step"})
_EAGER: Final = re.compile(r"run_(?:functions_)?eagerly")
#: Names of numbers that are to count traces, which is done like this.
_TRACES: Final = re.compile("trac", re.IGNORECASE)


class TfFunctionPitfall(Rule[LibraryCall | Kept | Program]):
    """Code inside `tf.function` runs once where it is meant to run in every call.

    ## What it finds
    In a function with `@tf.function`, or that is given to `tf.function(…)`, and in the functions that it calls: random numbers
    of `numpy.random` and `random`; variables that it makes without asking whether they exist; tensors that it puts into a list
    from outside; and numbers of its object that it counts up (`self.steps += 1`), also in `train_step` of a Keras model.

    ## Why it is bad
    TensorFlow runs the Python code once, to trace the graph. A number that Python has drawn is a constant of the graph: every
    call adds the same noise, or crops the same part. A variable that is made in each trace raises `ValueError`. A list gets one
    symbolic tensor per trace, whatever number of calls follows, and no values.

    ## Bad
    ```python
    import numpy as np
    import tensorflow as tf


    @tf.function
    def augment(images):
        return images + np.random.normal(0.0, 0.1)  # error: [DLG109]


    for _ in range(10):
        print(augment(tf.zeros((2, 8, 8, 3))))
    ```

    ```python
    import tensorflow as tf


    @tf.function
    def count(x):
        steps = tf.Variable(0.0)  # error: [DLG109]
        return x + steps.assign_add(1.0)


    print(count(tf.zeros(3)))
    ```

    ```python
    import tensorflow as tf

    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.SGD()
    losses = []


    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x, training=True) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        losses.append(loss)  # error: [DLG109]
        return loss


    for _ in range(10):
        step(tf.random.normal((8, 4)))
    ```

    ## Good
    ```python
    import tensorflow as tf

    steps = tf.Variable(0.0)


    @tf.function
    def augment(images):
        return images + tf.random.normal((), 0.0, 0.1) + steps.assign_add(1.0)


    for _ in range(10):
        print(augment(tf.zeros((2, 8, 8, 3))))
    ```

    ## When it stays silent
    Code outside such functions, code that TensorFlow calls each time (`tf.numpy_function`), seeds, and variables that are made
    once, under a test.
    ```python
    import numpy as np
    import tensorflow as tf


    class Counter(tf.Module):
        def __init__(self):
            super().__init__()
            self.steps = None

        @tf.function
        def __call__(self, x):
            if self.steps is None:
                self.steps = tf.Variable(0.0)
            noise = tf.numpy_function(lambda: np.random.rand(), [], tf.float64)
            return x + self.steps.assign_add(1.0) + tf.cast(noise, tf.float32)


    print(Counter()(tf.zeros(3)) + np.random.rand())
    ```

    ## References
    - TensorFlow guide, "Better performance with tf.function": executing Python side effects, creating variables.
    """

    code = "DLG109"
    name = "tf-function-pitfall"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    frameworks = ("tensorflow",)
    topics: ClassVar[tuple[str, ...]] = ("event:call", "event:kept", "program")
    calls: ClassVar[tuple[str, ...]] = (_VARIABLE, *(f"{home}*" for home in _RANDOM))
    default = "off"

    def check(self, item: LibraryCall | Kept | Program, context: Context) -> Iterator[Finding]:
        """A call that draws a number or makes a variable, a list that gets a tensor, or what a program counts up."""
        if isinstance(item, Program):
            yield from self._counted(context)
            return
        if isinstance(item, Kept):
            yield from self._kept(item, context)
            return
        draws = item.name.startswith(_RANDOM) and not item.name.endswith(_DRAWS_NONE)
        if not draws and item.name != _VARIABLE:
            return
        function = _traced(item.site, context)
        if function is None:
            return
        text, name = quoted(context.text(item)), quoted(function.name.value) if isinstance(function, cst.FunctionDef) else "it"
        if draws:
            yield context.finding(
                self,
                item,
                f"{text} is drawn once, when the graph of {name} is traced, and stays the same in every call",
                advice="make it with `tf.random`",
                kind="random",
            )
        elif _innermost(item.site) is function and not _is_guarded(item.site, function):
            yield context.finding(
                self,
                item,
                f"{text} makes a variable each time {name} is traced, which `tf.function` refuses",
                advice="make the variable outside the function",
                severity=Severity.ERROR,
                kind="variable",
            )

    def _counted(self, context: Context) -> Iterator[Finding]:
        """The numbers of objects that their traced methods count up."""
        for function, call in _traced_methods(context):
            for statement in (part for part in walk(function.body) if isinstance(part, cst.SimpleStatementLine)):
                for part in small_statements(statement):
                    if isinstance(part, cst.AugAssign) and _is_number_of_self(part.target, call, context):
                        name = quoted(context.text(part.target))
                        yield context.finding(
                            self,
                            Site(call.site.document, statement, part, call.site.caller),
                            f"{name} is counted up once, when the graph of {quoted(function.name.value)} is traced",
                            advice="count with a `tf.Variable`, by `assign_add`",
                            kind="counter",
                        )

    def _kept(self, item: Kept, context: Context) -> Iterator[Finding]:
        function = _traced(item.site, context) if item.container is not None and isinstance(item.value, TensorVal) else None
        if not isinstance(function, cst.FunctionDef) or _innermost(item.site) is not function:
            return
        if not _is_bound_in(item.target, function):
            kept, name = quoted(context.text(item.target)), quoted(function.name.value)
            yield context.finding(
                self,
                item,
                f"{kept} gets a tensor once, when the graph of {name} is traced",
                advice="return the tensor, and keep it outside of the function",
                kind="list",
            )


def _traced_methods(context: Context) -> Iterator[tuple[cst.FunctionDef, LibraryCall]]:
    """The methods of which TensorFlow makes graphs and that compute with it, each once, with a call in it."""
    seen, given = set[int](), {id(node) for node in _given(context)}
    for call in context.facts.events(LibraryCall):
        if not isinstance(call.owner, InstanceVal) or not call.name.startswith(("tensorflow.", "keras.")):
            continue
        function = _innermost(call.site) if id(call.site.statement) not in seen else None
        seen.add(id(call.site.statement))
        if function is not None and id(function) not in seen:
            seen.add(id(function))
            if id(function) in given or _is_decorated(function, call.site, context) or _is_step(function, call, context):
                yield function, call


def _is_step(function: cst.FunctionDef, call: LibraryCall, context: Context) -> bool:
    """Whether a method is a step of a Keras model that computes with TensorFlow."""
    if function.name.value not in _STEPS or not call.name.startswith("tensorflow."):
        return False
    cls = call.owner.cls if isinstance(call.owner, InstanceVal) else None
    bases = cls.mro if isinstance(cls, ClassVal) else ()
    is_model = any(isinstance(base, LibSymbol) and base.name == "keras.Model" for base in bases)
    return is_model and not any_says((one.site.document for one in context.facts.events(LibraryCall)), _EAGER)


def _is_number_of_self(target: cst.BaseExpression, call: LibraryCall, context: Context) -> bool:
    """Whether an attribute of the object itself is a number: all that its class sets it to are written as numbers."""
    name = context.text(target)
    classes = [part for part in enclosing(call.site) if isinstance(part, cst.ClassDef)]
    if not classes or not name.startswith("self.") or name.count(".") != 1 or _TRACES.search(name):
        return False
    set_to = [
        part.value
        for part in walk(classes[-1].body)
        if isinstance(part, cst.Assign) and any(target.deep_equals(one.target) for one in part.targets)
    ]
    return bool(set_to) and all(isinstance(value, (cst.Integer, cst.Float)) for value in set_to)


def _is_bound_in(target: cst.BaseExpression, function: cst.FunctionDef) -> bool:
    """Whether a function makes the list itself, or gets it from its caller, which may be a part of the graph."""
    parameters = {part.value for part in walk(function.params) if isinstance(part, cst.Name)} - {"self"}
    names = {part.value for part in walk(target) if isinstance(part, cst.Name)}
    bound = [part.target for part in walk(function.body) if isinstance(part, (cst.AssignTarget, cst.For, cst.NamedExpr))]
    return bool(names & parameters) or any(target.deep_equals(part) for one in bound for part in walk(one))


def _traced(site: Site, context: Context) -> cst.FunctionDef | cst.Lambda | None:
    """The function around a place, in the functions that lead there, of which TensorFlow makes a graph."""
    traced = {id(node) for node in _given(context)}
    for place in site.stack():
        if isinstance(place.node, cst.Call) and _EACH_TIME.search(context.text(place.node.func)):
            return None
        function = _innermost(place)
        if function is not None and (id(function) in traced or _is_decorated(function, place, context)):
            return function
    return None


def _given(context: Context) -> Iterator[cst.CSTNode]:
    """The functions that are made graphs of."""
    for call in context.facts.events(LibraryCall):
        if call.name == _FUNCTION:
            for value in call.given:
                function = value.func if isinstance(value, BoundVal) else value
                if isinstance(function, FuncVal):
                    yield function.node


def _innermost(site: Site) -> cst.FunctionDef | None:
    functions = [part for part in enclosing(site) if isinstance(part, cst.FunctionDef)]
    return functions[-1] if functions else None


def _is_decorated(function: cst.FunctionDef, site: Site, context: Context) -> bool:
    """Whether a decorator is `tf.function`, by the name that the document gives to the library, or a call of it."""
    names = {f"{match[1] or 'tensorflow'}.function" for match in _ALIAS.finditer(site.document.text)}
    made = {id(call.site.node) for call in context.facts.events(LibraryCall) if call.name == _FUNCTION}
    given = (one.decorator for one in function.decorators)
    return any(id(one) in made or context.text(one.func if isinstance(one, cst.Call) else one) in names for one in given)


def _is_guarded(site: Site, function: cst.FunctionDef) -> bool:
    """Whether a test stands between a function and a place in it."""
    around = enclosing(site)
    inner = around[next(number for number, part in enumerate(around) if part is function) + 1 :]
    return any(isinstance(part, (cst.If, cst.With, cst.Try)) for part in inner)
