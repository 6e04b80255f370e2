"""DLA107: a session of TensorFlow 1 is asked for what it cannot compute, or for what waits without end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.analysis.graph_sessions import Kind, Misuse, misuses
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.events import LibraryCall
from dllint.ir.program import Op, Program
from dllint.rules.context import Context
from dllint.rules.placing import Where
from dllint.rules.rule import Rule
from dllint.rules.wording import assigned_name, quoted


class Tf1GraphSessionMisuse(Rule[Program]):
    """A session of TensorFlow 1 is asked for what it cannot compute, or for what waits without end.

    ## What it finds
    - A run that needs a placeholder and does not feed it, also by way of merged summaries.
    - A tensor of the graph as the value that is fed.
    - `tf.assign` to a tensor that is no variable.
    - A run that takes from an input queue, where no queue runner is started, or all are before the queue is made.
    - Training with `tf.layers.batch_normalization` in a graph that is run outside of training, too, where nothing runs the
      updates of its averages.

    ## Why it is bad
    The first three raise. A run without queue runners never returns. Averages that nothing updates keep their first values 0
    and 1, so that the network computes something else in evaluation than what was trained.

    ## Bad
    ```python
    import numpy as np
    import tensorflow.compat.v1 as tf

    x = tf.placeholder(tf.float32, [None, 4])
    total = tf.reduce_sum(x)
    with tf.Session() as sess:
        print(sess.run(total))  # error: [DLA107]
    ```

    ```python
    import tensorflow.compat.v1 as tf

    names = tf.train.string_input_producer(["a.txt", "b.txt"])
    one, many = tf.TextLineReader().read(names)
    batch = tf.train.batch([many], batch_size=4)
    with tf.Session() as sess:
        print(sess.run(batch))  # error: [DLA107]
    ```

    ## Good
    ```python
    import numpy as np
    import tensorflow.compat.v1 as tf

    x = tf.placeholder(tf.float32, [None, 4])
    total = tf.reduce_sum(x)
    with tf.Session() as sess:
        print(sess.run(total, feed_dict={x: np.zeros((3, 4))}))
    ```

    ## When it stays silent
    Placeholders with a default, values that are fed for what was computed from the placeholder, fed values that are not
    known, and programs that leave threads or updates to other code.
    ```python
    import numpy as np
    import tensorflow.compat.v1 as tf

    x = tf.placeholder(tf.float32, [None, 4])
    rate = tf.placeholder_with_default(0.5, [])
    hidden = tf.nn.relu(x)
    total = tf.reduce_sum(hidden) * rate
    with tf.Session() as sess:
        print(sess.run(total, feed_dict={hidden: np.zeros((3, 4))}))
    ```

    ## References
    - TensorFlow 1 guides, "Graphs and Sessions", "Threading and Queues", and `tf.layers.batch_normalization` on its updates.
    - Zhang et al., *An Empirical Study on TensorFlow Program Bugs*, ISSTA 2018. Stack Overflow 38243194, 37203858, 44755413.
    """

    code = "DLA107"
    name = "tf1-graph-session-misuse"
    severity = Severity.ERROR
    confidence = Confidence.MEDIUM
    frameworks = ("tensorflow",)
    topics: ClassVar[tuple[str, ...]] = ("program",)

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The runs of a program."""
        for found in misuses(context.facts):
            advice, note = _WORDS[found.kind]
            related = context.related(found.about, note) if found.about is not None else None
            yield context.finding(
                self,
                found.where,
                _message(found, context),
                advice=advice,
                severity=Severity.WARNING if found.kind == "no updates" else Severity.ERROR,
                related=[related] if related else [],
                kind=found.kind,
            )


#: What to change, and what the place is that explains a misuse.
_WORDS: Final[dict[Kind, tuple[str, str]]] = {
    "unfed": ("give it a value in `feed_dict`", "the placeholder is made here"),
    "fed tensor": ("pass an array: run the tensor first, or use it in the graph", "this makes the tensor"),
    "no variable": ("make it a `tf.Variable`", "this makes what is assigned to"),
    "no threads": ("call `tf.train.start_queue_runners` first", "the queue is made here"),
    "early threads": ("call `tf.train.start_queue_runners` when all queues are made", "the queue is made here"),
    "no updates": ("make each step depend on the operations of `tf.GraphKeys.UPDATE_OPS`", "this normalises batches"),
}


def _message(found: Misuse, context: Context) -> str:
    run, about = quoted(context.text(found.where)), _name(found.about, context)
    return {
        "unfed": f"{run} needs a value for the placeholder {about}, and does not feed it",
        "fed tensor": f"{about} is a tensor of the graph, which {run} cannot feed",
        "no variable": f"{run} assigns to {about}, which is the result of an operation, not a variable",
        "no threads": f"{run} waits without end: no thread fills the queue of {about}",
        "early threads": f"{run} waits without end: the queue of {about} is made after the threads were started",
        "no updates": f"{run} trains, and nothing updates the averages of {about}",
    }[found.kind]


def _name(about: Op | LibraryCall | None, context: Context) -> str:
    where: Where | None = about
    if about is None:
        return "it"
    return quoted(assigned_name(about.site, context) or context.text(where))
