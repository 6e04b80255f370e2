"""The probe for PyTorch.

**The torch probe** (``probes/torch/``): one file per thing that is hooked. ``modules`` (building places, names,
outputs), ``units`` (what units did over all samples), ``losses`` (backward passes, loss scaling), ``optimizers``
(norms of weights, gradients and updates), ``data`` (batches), ``gradients`` (clipping, skipped steps), ``idle``
(gradients that nothing uses), ``compiled``, ``faults``; ``statistics.Readout`` brings all numbers of a step to the
host at once. Hooks on modules exist only while a step is sampled, and are neither added nor removed once the program
has compiled anything. ``activations`` and ``loss_calls`` see functions (``torch.relu`` below those of ``functional``,
which libraries compare by identity; only while a step is sampled); ``flow`` follows values by their memory: which
activation made what a layer or a loss is given.
"""
