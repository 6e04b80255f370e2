"""Probes: what watches a framework while the user's program runs. Only these modules import frameworks.

- **The program's own methods are not called.** ``identity.IdentityMap`` instead of weak dictionaries,
  ``probes/torch/anatomy`` instead of ``modules()`` and ``parameters()``, ``probes/containers`` for what batches hold,
  ``probes/torch/sizes`` for what samplers are reported.
- **Guests and hosts** (``probes/guest``). Keras trains by means of torch, TensorFlow or JAX: its probe is the *guest*
  of the probe below, which sees backward passes and repeats steps. The guest names layers and weights, tells which
  call of the user's has it train (a loss behind ``fit`` is reported at the ``loss`` argument of ``compile``), and
  makes the steps. ``probes.Probes`` installs a host when its guest asks for it.
- To add a framework: a class with ``install`` and ``finish`` (``probes/probe.Probe``) in ``probes/<framework>/``, and a
  row in ``probes.probe.PROBES``.
- To add a measure: a row in ``probes.yardstick.YARDSTICKS`` and a class that collects pairs of prediction and target for
  ``probes.measures``.
"""
