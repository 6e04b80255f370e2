"""The probe for Keras 3, on any of its backends.

A step is a call of ``BaseOptimizer.apply``: by ``fit``, ``train_on_batch``, a user's ``train_step`` or loop. Layers are
reported at the line that called ``Layer.__new__``. Statistics are computed by Keras's own operations, on the device of the
tensors, or by NumPy if that is the host. ``comparisons`` reports calls of losses to ``loss_calls`` and to the yardstick, for
which compiled functions hand over numbers (``tensorflow/means``; in branches only). ``afterwards`` experiments with the model
itself, because copies would count names and are not always possible; ``trial`` restores weights, seeds and settings.
"""
