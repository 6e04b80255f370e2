"""The probe for TensorFlow: tapes, and steps inside compiled functions.

Compiled steps are neither changed nor observed. When one is to be sampled, its Python code is *rehearsed* before it runs:
eagerly, up to the point where the optimizer would step, with every assignment to a variable and every random number ``undone``.
Updates of weights are measured around the real step; its loss is read from the running mean that Keras keeps or from what the
function returns. ``FirstBad`` follows operations by TensorFlow's operation callbacks. A ``tf.function`` is known to train from
its second call on, by the optimizer's step in its trace.
"""
