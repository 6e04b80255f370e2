"""DLG108: every pass of a loop adds to the graph of TensorFlow 1, or to the state that Keras keeps of all models."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.every_pass import is_in_every_pass, place_in
from dllint.analysis.facts import Facts
from dllint.analysis.training import Loop
from dllint.analysis.typestate.order import is_unconditional
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.statements import insert_before
from dllint.ir.events import Fit, LibraryCall, ModelGraph
from dllint.ir.program import JOIN, Event, Op, Program
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted
from dllint.source.walk import dotted, walk

#: What computes a part of the graph.
_RUNS: Final = frozenset({"tensorflow.Session.run", "tensorflow.InteractiveSession.run", "tensorflow.Tensor.eval"})
#: What drops all that was built so far, by the last part of its name.
_CLEARING: Final = ("clear_session", "reset_default_graph", "free_all_memory")
#: Loops of so many passes leave nothing behind that matters.
_FEW: Final = 10
#: What makes a graph of its own, or builds in one.
_GRAPHS: Final = frozenset({"tensorflow.Graph", "tensorflow.Graph.as_default"})


class MemoryGrowsInLoop(Rule[Program]):
    """Operations of a TensorFlow 1 graph, or Keras models, are made in every pass of a loop.

    ## What it finds
    - An operation that is made and run by a session in the same loop: `sess.run(tf.assign(…))`.
    - A Keras model that is built and fitted in a loop without `clear_session()` (information).

    ## Why it is bad
    A graph keeps every operation that was ever made. Each pass is slower than the one before it and takes more memory, until
    none is left. Keras keeps a global state of the models that were built, too.

    ## Bad
    ```python
    import numpy as np
    import tensorflow as tf

    x = tf.placeholder(tf.float32, [None, 4])
    w = tf.Variable(tf.ones([4, 2]))
    y = tf.matmul(x, w)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for step in range(1000):
            print(sess.run(tf.reduce_mean(y), feed_dict={x: np.zeros((3, 4))}))  # error: [DLG108]
    ```

    ## Good
    ```python
    import numpy as np
    import tensorflow as tf

    x = tf.placeholder(tf.float32, [None, 4])
    w = tf.Variable(tf.ones([4, 2]))
    mean = tf.reduce_mean(tf.matmul(x, w))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for step in range(1000):
            print(sess.run(mean, feed_dict={x: np.zeros((3, 4))}))
    ```

    ## When it stays silent
    Graphs that are built in a loop and run after it, graphs of their own, loops of few passes, operations that are made once,
    eager code, and models that are built after the state was cleared.
    ```python
    import keras
    import numpy as np
    import tensorflow as tf

    h = x = tf.placeholder(tf.float32, [None, 4])
    for width in (8, 4, 2):
        h = tf.layers.dense(h, width)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        print(sess.run(h, feed_dict={x: np.zeros((3, 4))}))

    for fold in range(5):
        keras.backend.clear_session()
        model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
        model.compile("adam", "mse")
        model.fit(np.zeros((16, 8)), np.zeros(16))
    ```

    ## References
    - Keras documentation, `keras.utils.clear_session`.
    - Stack Overflow 38714557.
    """

    code = "DLG108"
    name = "memory-grows-in-loop"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability: ClassVar[Applicability | None] = Applicability.UNSAFE
    frameworks = ("tensorflow", "keras")
    topics: ClassVar[tuple[str, ...]] = ("program",)
    needs: ClassVar[tuple[str, ...]] = ("event:loop",)

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """What grows in the loops of a program."""
        if not context.facts.training.loops or _is_cleared(context.facts):
            return
        if context.facts.events(LibraryCall) and any(call.name in _RUNS for call in context.facts.events(LibraryCall)):
            yield from self._operations(context)
        yield from self._models(context)

    def _operations(self, context: Context) -> Iterator[Finding]:
        seen = set[int]()
        for op, loop in _made_in_loops(context.facts):
            if id(op.site.statement) not in seen:
                seen.add(id(op.site.statement))
                around = context.related(loop.edge, "the loop that runs it")
                yield context.finding(
                    self,
                    op,
                    f"{quoted(context.text(op))} is a new operation of the graph in every pass of the loop",
                    advice="move what makes the operation in front of the loop",
                    related=[around] if around else [],
                )

    def _models(self, context: Context) -> Iterator[Finding]:
        facts, seen = context.facts, set[int]()
        for graph in facts.events(ModelGraph):
            loop = facts.training.innermost(graph)
            if loop is None or _is_short(loop) or id(graph.site.node) in seen or not _is_fitted(graph, loop, facts):
                continue
            seen.add(id(graph.site.node))
            same = graph.site.caller is loop.edge.site.caller
            edits = insert_before(graph.site, "keras.backend.clear_session()") if same and _knows_keras(context) else ()
            built = place_in(graph.site, loop)
            inner = context.related(graph, "the model is built here") if built is not graph.site else None
            yield context.finding(
                self,
                built,
                "the global state of Keras grows with each model that the loop builds",
                advice="call `keras.backend.clear_session()` at the beginning of each pass",
                severity=Severity.INFO,
                kind="models",
                related=[inner] if inner else [],
                fixes=offer(context, "Clear the state before the model is built", edits, Applicability.UNSAFE),
            )


def _is_cleared(facts: Facts) -> bool:
    names = {call.name for call in facts.events(LibraryCall)}
    return any(name.endswith(_CLEARING) or name in _GRAPHS for name in names)


def _made_in_loops(facts: Facts) -> Iterator[tuple[Op, Loop]]:
    """The operations that are made in a loop, in more passes than one, and run in the same loop."""
    trace = facts.program.trace
    for loop in facts.training.loops:
        inside = [inner for inner in facts.training.loops if loop.start <= inner.start and inner.end <= loop.end]
        own = [
            item
            for number, item in enumerate(trace[loop.start : loop.end], loop.start)
            if not any(inner is not loop and inner.contains(number) for inner in inside)
        ]
        if _is_short(loop):
            continue
        runs = [item for item in own if isinstance(item, LibraryCall) and item.name in _RUNS]
        made = [item for item in own if isinstance(item, Op) and _is_of_graph(item)] if runs else []
        places = [id(op.site.node) for op in made]
        fetched = {id(op) for run in runs for op in _fetched(run, own)}
        for op in made:
            is_anew = op.repeated or places.count(id(op.site.node)) > 1
            if id(op) in fetched and is_anew and _is_always(op, loop) and is_in_every_pass(op.site, loop):
                yield op, loop


def _is_short(loop: Loop) -> bool:
    """Whether a loop has so few passes, as it is written, that nothing grows far."""
    if not isinstance(loop.edge.node, cst.For):
        return False
    counts = (part for part in walk(loop.edge.node.iter) if isinstance(part, cst.Call) and dotted(part.func) == "range")
    given = (call.args[-1].value for call in counts if call.args)
    return any(isinstance(count, cst.Integer) and int(count.evaluated_value) <= _FEW for count in given)


def _is_always(op: Op, loop: Loop) -> bool:
    here = {(condition.key, condition.arm) for condition in loop.edge.path}
    return all((condition.key, condition.arm) in here for condition in op.path if not condition.certain)


def _fetched(run: LibraryCall, own: list[Op | Event]) -> Iterator[Op]:
    """The operations whose results a session is asked for by a call."""
    place = own.index(run)
    for item in reversed(own[:place]):
        if isinstance(item, LibraryCall) and item.name in _RUNS:
            return
        if isinstance(item, Op) and does(item, Trait.CROSSES_GRAPH):
            yield from _makers(item)


def _makers(op: Op) -> Iterator[Op]:
    """The operations that have made what an operation takes: of what one of several objects holds, that of each."""
    todo, seen = [op], set[int]()
    while todo:
        for tensor in todo.pop().inputs:
            maker = tensor.producer
            if maker is not None and maker.kind != JOIN:
                yield maker
            elif maker is not None and id(maker) not in seen:
                seen.add(id(maker))
                todo.append(maker)


def _is_of_graph(op: Op) -> bool:
    return op.framework in ("tensorflow", "keras") and op.kind != JOIN and not does(op, Trait.CROSSES_GRAPH)


def _is_fitted(graph: ModelGraph, loop: Loop, facts: Facts) -> bool:
    """Whether the loop that builds a model fits it, too, and builds one in every pass."""
    fits = facts.training.within(loop, Fit)
    always = is_unconditional(graph, loop) and is_in_every_pass(graph.site, loop)
    return always and any(fit.model is graph.model and fit.method == "fit" for fit in fits)


def _knows_keras(context: Context) -> bool:
    """Whether the name ``keras`` is bound by an import of the document."""
    return any(line.strip() == "import keras" for line in context.document.text.splitlines())
