"""The probe for Keras 3, on any of its backends.

**The Keras probe** (``probes/keras/``). Steps are calls of ``BaseOptimizer.apply``, whoever makes them: ``fit``,
``train_on_batch``, a ``train_step`` of the user's own, a loop. Layers are reported at the line that ``Layer.__new__``
was called from. Statistics are Keras's own operations, so that they are computed where the tensors are, on any
backend, or NumPy's where that is the host. ``comparisons`` tells of calls of losses to ``loss_calls`` and to the
yardstick, which has compiled functions hand numbers over (``tensorflow/means``; in branches only). ``afterwards``
tries things with the model itself: copies would count names and cannot always be made (``trial`` puts back weights,
seeds and settings).
"""
