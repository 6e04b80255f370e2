"""The typestate of training: in which state gradients, modes, schedulers and graphs are when the events of a program use them.

- ``order.py``: the events of one pass of a loop and of the next, and which of them happen together.
- ``opaque.py``: what code that is not followed may have done.
- ``by_hand.py``: gradients that the program computes or changes itself.
- ``gradients.py``: cleared, computed, clipped, scaled and applied, per optimizer.
- ``modes.py``: training and evaluation mode, per module.
- ``schedules.py``: schedulers and the optimizers that they drive.
- ``name_uses.py``: names, of schedulers say, with which code does no more than to read them.
- ``groups.py``: whose parameters an optimizer has.
- ``frozen.py``: optimizers whose parameters are all frozen.
- ``reused.py``, ``twice.py``: graphs, and losses, that are differentiated again.
- ``rebuilt.py``: models that are made again behind their optimizer.
- ``recording.py``, ``unrecorded.py``: what is computed where no gradients are recorded.
- ``leaves.py``, ``pretended.py``: tensors that are asked for their gradient, and losses that this makes look differentiable.
- ``retained.py``, ``thrown_away.py``: graphs that are kept for nothing, and gradients that nothing applies.
- ``moved_later.py``: models that are moved behind their optimizer.
- ``loaders.py``: the loaders that loops go over, and the order of their samples.
- ``held.py``: graphs that sums and lists keep from pass to pass.

An answer is given only where the events decide it: an object that is not known is equal to itself and to nothing else, and code
that is not followed may have done whatever can be done with what it was given.
"""
