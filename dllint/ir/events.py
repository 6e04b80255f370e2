"""The events of a traced program and the keys of their ``data``.

``call``         ``name`` qualified library name, ``bound`` {parameter: value}, ``nodes`` {parameter: argument node},
                 ``unbound`` keywords the signature lacks, ``positional`` number of positional arguments, ``result``;
                 made for every resolved library call, tensor operation or not
``instance``     ``instance`` an InstanceVal of a user class after ``__init__`` ran
``module-call``  ``callee`` InstanceVal, ``args``, ``result``: a layer, module or model is applied
``forward-call`` ``callee`` InstanceVal: ``m.forward(x)`` or ``m.call(x)`` written out
``construct``    ``instance`` a library layer instance is built; ``args`` positional values; ``nodes``
``rebind``       ``name``, ``old`` value, ``new`` value, ``node``: a local name is bound again
``read``         ``name``, ``value``: a local name is read (only tensors and layers are recorded)
``return``       ``value`` of a user function that takes or returns tensors; ``function`` FuncVal
``compile``      ``model`` InstanceVal, ``loss``, ``optimizer``, ``metrics`` values, ``nodes``
``fit``          ``model`` InstanceVal, ``x``, ``y`` values, ``validation`` values, ``nodes`` (also
                 evaluate/predict via ``method``)
``input``        ``value`` TensorVal: the symbolic input of a Keras model is declared
``model``        ``model`` InstanceVal, ``inputs``, ``outputs``: a Keras functional model is built
``binding``      ``function`` FuncVal of the analysed code, ``missing`` names, ``unbound`` keywords, ``surplus`` positionals,
                 ``arguments`` Arguments: a call whose arguments do not fit the function
``loop``         ``node`` the For or While, ``phase`` ``enter`` or ``exit``: what is between them is performed repeatedly
``context``      ``name`` of a context that training code enters (``torch.no_grad``, see :data:`CONTEXTS`), by ``with`` or as a
                 decorator; ``phase`` ``enter`` or ``exit``
``nan-test``     ``name`` of a comparison (``eq``, ``ne``, ``is``, ``is not``, ``in``, ``not in``) with NaN; ``other`` value of
                 the side that is not NaN, ``other_node``; ``nan_node`` the side that is NaN, or holds it
``zero_grad``, ``backward``, ``step``, ``train``, ``eval``, ``clip_grad``, ``update``: ``target`` what is cleared,
                 differentiated, stepped, …; ``via`` the object that was told to do it where that is another one (a gradient
                 scaler), else ``None``; ``closure`` (of ``step``) what recomputes the loss
``opaque``       ``callee`` an unknown function or method ``name`` that training code calls; ``values``: receiver, arguments

**Training code.** ``zero_grad``, ``backward``, ``step``, ``train``, ``eval``, ``compile``, ``fit``, loops and
contexts (``no_grad``, ``autocast``, a tape) are events between the operations (``ir/events.py``), those of helper
functions in their place. Objects of unknown class give the events that their methods' names say (``lower/duck.py``),
and unknown calls are reported as such: ``analysis/training.py`` knows which loop does what, and that what is handed
to unknown code may have been changed there. Methods of plain classes run as entries if they hold training steps.
"""

from __future__ import annotations

from typing import Final

CALL: Final = "call"
INSTANCE: Final = "instance"
MODULE_CALL: Final = "module-call"
FORWARD_CALL: Final = "forward-call"
CONSTRUCT: Final = "construct"
REBIND: Final = "rebind"
READ: Final = "read"
RETURN: Final = "return"
COMPILE: Final = "compile"
FIT: Final = "fit"
INPUT: Final = "input"
MODEL: Final = "model"
BINDING: Final = "binding"
LOOP: Final = "loop"
ZERO_GRAD: Final = "zero_grad"
BACKWARD: Final = "backward"
STEP: Final = "step"
TRAIN: Final = "train"
EVAL: Final = "eval"
CLIP_GRAD: Final = "clip_grad"
UPDATE: Final = "update"
CONTEXT: Final = "context"
NAN_TEST: Final = "nan-test"
OPAQUE: Final = "opaque"

#: The events that a training procedure consists of, in the order in which a step performs them.
TRAINING: Final = (TRAIN, ZERO_GRAD, BACKWARD, CLIP_GRAD, STEP, UPDATE, EVAL, COMPILE, FIT)
#: Contexts that decide whether gradients are recorded, and in which precision.
CONTEXTS: Final = frozenset({
    "torch.no_grad", "torch.inference_mode", "torch.enable_grad", "torch.set_grad_enabled", "torch.autocast",
    "tensorflow.GradientTape",
})  # fmt: skip
