"""DLI106: a session of TensorFlow 1 runs what needs variables that have no value, or gives them their first value again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import libcst as cst

from dllint.analysis.graph_variables import Uninitialised, uninitialised
from dllint.analysis.own_statements import enclosing
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.statements import delete, insert_after, insert_before
from dllint.ir.program import Program, Site
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted


class Tf1VariablesNotInitialised(Rule[Program]):
    """Variables of a TensorFlow 1 graph are not initialised, or are so in every training step.

    ## What it finds
    - `session.run` of what depends on a variable in a program that initialises and restores nothing.
    - `session.run` of such a thing in a second session, in which nothing is initialised or restored.
    - A variable, or an optimizer or moving averages that keep some, made after the only `global_variables_initializer()`.
    - The initializer is run in each pass of the loop that trains.

    ## Why it is bad
    A variable without a value raises `FailedPreconditionError`. The initializer gives a value to the variables that exist when
    it is made, in the session that runs it: another session has values of its own. Run again, it throws away what was learnt.

    ## Bad
    ```python
    import numpy as np
    import tensorflow as tf

    x = tf.placeholder(tf.float32, [None, 4])
    w = tf.Variable(tf.ones([4, 2]))
    y = tf.matmul(x, w)
    with tf.Session() as sess:
        print(sess.run(y, feed_dict={x: np.zeros((3, 4))}))  # error: [DLI106]
    ```

    ```python
    import numpy as np
    import tensorflow as tf

    x = tf.placeholder(tf.float32, [None, 4])
    w = tf.Variable(tf.ones([4, 2]))
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w)))
    init = tf.global_variables_initializer()
    train = tf.train.AdamOptimizer(0.01).minimize(loss)  # error: [DLI106]
    with tf.Session() as sess:
        sess.run(init)
        for _ in range(100):
            sess.run(train, feed_dict={x: np.zeros((3, 4))})
    ```

    ```python
    import numpy as np
    import tensorflow as tf

    x = tf.placeholder(tf.float32, [None, 4])
    w = tf.Variable(tf.ones([4, 2]))
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w)))
    train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train, feed_dict={x: np.zeros((3, 4))})
    with tf.Session() as sess:
        print(sess.run(loss, feed_dict={x: np.zeros((3, 4))}))  # error: [DLI106]
    ```

    ## Good
    ```python
    import numpy as np
    import tensorflow as tf

    x = tf.placeholder(tf.float32, [None, 4])
    w = tf.Variable(tf.ones([4, 2]))
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w)))
    train = tf.train.AdamOptimizer(0.01).minimize(loss)
    init = tf.global_variables_initializer()
    with tf.Session() as sess:
        sess.run(init)
        for _ in range(100):
            sess.run(train, feed_dict={x: np.zeros((3, 4))})
    ```

    ## When it stays silent
    Variables that are restored, assigned or initialised by code that is not followed, sessions that initialise by themselves,
    graphs without variables, and optimizers without variables of their own.
    ```python
    import numpy as np
    import tensorflow as tf

    x = tf.placeholder(tf.float32, [None, 4])
    w = tf.Variable(tf.ones([4, 2]))
    loss = tf.reduce_mean(tf.matmul(x, w))
    init = tf.global_variables_initializer()
    train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
    for fold in range(3):
        with tf.Session() as sess:
            sess.run(init)
            for _ in range(100):
                sess.run(train, feed_dict={x: np.zeros((3, 4))})


    def restored(path):
        saver = tf.train.Saver()
        with tf.Session() as session:
            saver.restore(session, path)
            return session.run(loss, feed_dict={x: np.zeros((3, 4))})
    ```

    ## References
    - TensorFlow 1 guide, "Variables": initializing variables.
    - Stack Overflow 33788989 and 47359643.
    """

    code = "DLI106"
    name = "tf1-variables-not-initialised"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability: ClassVar[Applicability | None] = Applicability.SAFE
    frameworks = ("tensorflow",)
    topics: ClassVar[tuple[str, ...]] = ("program",)
    needs: ClassVar[tuple[str, ...]] = ("call:tensorflow.Session", "call:tensorflow.InteractiveSession")

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The sessions of a program that lack values of variables."""
        for found in uninitialised(context.facts):
            where = found.late if found.late is not None else found.run
            text = quoted(context.text(where))
            message, advice = {
                "never": (f"{text} needs variables, and none of the program is initialised", _INITIALISE),
                "another session": (f"{text} needs variables, which are initialised in another session only", _HERE),
                "late": (f"{text} makes variables after the initializer, which leaves them without a value", _LATER),
                "anew": (f"{text} resets all variables in each training step", _ONCE),
            }[found.kind]
            places = ((found.initializer, "the initializer is made here"), (found.run, "the run that needs them"))
            related = (context.related(place, note) for place, note in places if place is not None and place is not where)
            yield context.finding(
                self,
                where,
                message,
                advice=advice,
                severity=Severity.WARNING if found.kind == "anew" else Severity.ERROR,
                related=[place for place in related if place],
                fixes=_fixes(found, context),
                kind=found.kind,
            )


_INITIALISE = "call `global_variables_initializer()` and run what it gives in the session first"
_HERE = "keep one session for both, or restore the variables in this one"
_LATER = "make the initializer behind everything else of the graph"
_ONCE = "run it once, in front of the loop"


@builder
def _fixes(found: Uninitialised, context: Context) -> tuple[Fix, ...]:
    """Run an initializer in front of the first run outside of any loop; make it behind what it misses."""
    if found.kind == "never":
        opened, run = found.session.site.node, found.run.site.node
        if not isinstance(opened, cst.Call) or not isinstance(run, cst.Call) or not isinstance(run.func, cst.Attribute):
            return ()
        library = context.text(opened.func).rpartition(".")[0]
        if not library or context.facts.training.innermost(found.run) is not None:
            return ()
        text = f"{context.text(run.func)}({library}.global_variables_initializer())"
        return tuple(offer(context, "Initialise the variables", insert_before(found.run.site, text), Applicability.SAFE))
    if found.kind in ("anew", "another session") or found.initializer is None or found.late is None:
        return ()
    site, late = found.initializer.site, found.late.site
    if site.document is not late.document or found.initializer.scope != found.late.scope or found.late.path:
        return ()
    if _contexts(site) != _contexts(late):  # in one of `control_dependencies`, the initializer would need a training step
        return ()
    edits = (*delete(site), *insert_after(late, context.text(site.statement)))
    return tuple(offer(context, "Make the initializer behind it", edits, Applicability.SAFE))


def _contexts(site: Site) -> list[cst.With]:
    """The ``with`` statements around a statement."""
    return [part for part in enclosing(site) if isinstance(part, cst.With)]
