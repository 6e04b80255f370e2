"""What the TensorFlow 2 names used beside Keras mean.

**Graphs** (TensorFlow 1). Building is execution as usual; a placeholder's open axes are sizes of its own.
``Session.run`` compares each fed value with its placeholder (``feed``) and gives arrays in which the sizes that were
open are those of the fed values (``fetch``); running what ``minimize`` made is a training step. The spellings of all
releases share one canonical name (``frameworks/tensorflow/names.py``), and what scopes such as ``arg_scope`` set is
kept in the machine's ``state``.
"""
