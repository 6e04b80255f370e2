"""The probe for TensorFlow: tapes, and steps inside compiled functions.

**The TensorFlow probe** (``probes/tensorflow/``). Compiled steps are neither changed nor seen. When one is to be
looked at, its Python code is *rehearsed* before it runs: eagerly, up to where the optimizer would step, with every
assignment to a variable and every random number ``undone``. The weights' updates are measured around the real step,
its loss is read from the running mean that Keras keeps, or from what the function returns. ``FirstBad`` follows
operations by TensorFlow's operation callbacks. A ``tf.function`` is known to train from its second call on, by the
optimizer's step in its trace.
"""
