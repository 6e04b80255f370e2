"""The meaning of the TensorFlow names used beside Keras.

In TensorFlow 1, building a graph is execution as usual; a placeholder's unknown axes are symbols of its own. ``Session.run``
compares each fed value with its placeholder (``feed``) and gives arrays in which these symbols are the sizes of the fed values
(``fetch``); running what ``minimize`` made is a training step. The spellings of all releases share one canonical name
(``frameworks/tensorflow/names.py``). Scopes such as ``arg_scope`` are kept in the machine's ``state``.
"""
