"""One canonical name for every spelling of a Keras object.

``tf.keras.layers.Dense``, ``keras.layers.core.Dense``, ``keras.src.layers.core.dense.Dense`` and
``tensorflow.python.keras.layers.Dense`` are all ``keras.layers.Dense``. Old module paths are canonicalised so that the
analysis goes on; that they no longer exist is told by the spelling, which the interpreter keeps.
"""

from __future__ import annotations

from typing import Final

#: Packages that hold (or held) the Keras namespace, longest first.
ROOTS: Final = (
    "tensorflow.compat.v2.keras",
    "tensorflow.compat.v1.keras",
    "tensorflow.python.keras",
    "tensorflow.contrib.keras",
    "tensorflow.keras",
    "keras._tf_keras.keras",
    "keras.api._v1.keras",
    "keras.api._v2.keras",
    "keras.api",
    "keras.src",
    "keras_core",
    "tf_keras",
    "keras",
)

#: Namespaces whose objects are found directly below them, whatever submodules stand between.
FLAT: Final = frozenset({
    "layers", "losses", "metrics", "optimizers", "callbacks", "activations", "initializers", "regularizers",
    "constraints", "utils", "ops", "backend", "models", "engine", "objectives", "random", "saving", "mixed_precision",
    "trainers",
})  # fmt: skip

#: Submodules that may stand between a namespace and its function (``keras.layers.merge.concatenate``).
SUBMODULES: Final = frozenset({
    "core", "convolutional", "pooling", "normalization", "recurrent", "embeddings", "noise", "merge", "merging", "wrappers",
    "local", "advanced_activations", "regularization", "reshaping", "rnn", "attention", "activation", "convolutional_recurrent",
    "cudnn_recurrent", "np_utils", "numerical_utils", "vis_utils", "model_visualization", "data_utils", "generic_utils",
    "layer_utils", "image_utils", "sequence_utils", "file_utils", "io_utils", "topology", "training", "sequential",
    "functional",
    "base_layer", "input_layer", "input_spec", "layer", "model", "numpy", "nn", "math", "image", "linalg", "einops",
    "tensorflow_backend",
    "common", "sequence", "text", "tf_utils", "summary_utils", "module_utils", "gradient_descent", "adam", "trainer",
    "keras_tensor", "variables", "operation_utils", "backend_utils", "operation", "losses", "activations", "constraints_v2",
    "random_initializers", "constant_initializers",
    "regularizers", "preprocessing", "image_preprocessing", "experimental", "v2", "v1", "schedules_v2", "dataset_utils",
    "timeseries_dataset_utils", "image_dataset_utils", "text_dataset_utils", "tensorflow", "torch", "jax",
})  # fmt: skip

#: Objects whose canonical home differs from the path they are found under (after flattening).
HOMES: Final = {
    "keras.models.Model": "keras.Model",
    "keras.models.Functional": "keras.Model",
    "keras.models.Sequential": "keras.Sequential",
    "keras.engine.Model": "keras.Model",
    "keras.engine.Functional": "keras.Model",
    "keras.engine.Sequential": "keras.Sequential",
    "keras.engine.Layer": "keras.layers.Layer",
    "keras.engine.InputSpec": "keras.layers.InputSpec",
    "keras.engine.InputLayer": "keras.layers.InputLayer",
    "keras.engine.Input": "keras.Input",
    "keras.engine.merge": "keras.layers.merge",
    "keras.layers.Input": "keras.Input",
    "keras.models.Input": "keras.Input",
    "keras.Layer": "keras.layers.Layer",
    "keras.Loss": "keras.losses.Loss",
    "keras.Metric": "keras.metrics.Metric",
    "keras.Optimizer": "keras.optimizers.Optimizer",
    "keras.InputSpec": "keras.layers.InputSpec",
    "keras.backend.Variable": "keras.Variable",
    "keras.backend.KerasTensor": "keras.KerasTensor",
    "keras.utils.is_keras_tensor": "keras.backend.is_keras_tensor",
    "keras.preprocessing.sequence.pad_sequences": "keras.utils.pad_sequences",
    "keras.preprocessing.image.load_img": "keras.utils.load_img",
    "keras.preprocessing.image.img_to_array": "keras.utils.img_to_array",
    "keras.preprocessing.image.array_to_img": "keras.utils.array_to_img",
    "keras.legacy.preprocessing.image.ImageDataGenerator": "keras.preprocessing.image.ImageDataGenerator",
    "keras.legacy.preprocessing.text.Tokenizer": "keras.preprocessing.text.Tokenizer",
    "keras.preprocessing.image_dataset_from_directory": "keras.utils.image_dataset_from_directory",
    "keras.preprocessing.text_dataset_from_directory": "keras.utils.text_dataset_from_directory",
    "keras.preprocessing.timeseries_dataset_from_array": "keras.utils.timeseries_dataset_from_array",
    "keras.models.load_model": "keras.saving.load_model",
    "keras.models.save_model": "keras.saving.save_model",
}

#: Class aliases Keras keeps (or kept) for the same object, by last component.
ALIASES: Final = {
    **{f"Convolution{n}D": f"Conv{n}D" for n in (1, 2, 3)},
    **{f"Convolution{n}DTranspose": f"Conv{n}DTranspose" for n in (1, 2, 3)},
    **{f"Deconvolution{n}D": f"Conv{n}DTranspose" for n in (2, 3)},
    **{f"SeparableConvolution{n}D": f"SeparableConv{n}D" for n in (1, 2)},
    **{f"MaxPool{n}D": f"MaxPooling{n}D" for n in (1, 2, 3)},
    **{f"AvgPool{n}D": f"AveragePooling{n}D" for n in (1, 2, 3)},
    **{f"GlobalMaxPool{n}D": f"GlobalMaxPooling{n}D" for n in (1, 2, 3)},
    **{f"GlobalAvgPool{n}D": f"GlobalAveragePooling{n}D" for n in (1, 2, 3)},
    "AtrousConvolution1D": "Conv1D",
    "AtrousConvolution2D": "Conv2D",
    "AtrousConv2D": "Conv2D",
    "BatchNormalizationV1": "BatchNormalization",
    "BatchNormalizationV2": "BatchNormalization",
    "SyncBatchNormalization": "BatchNormalization",
    "CuDNNLSTM": "LSTM",
    "CuDNNGRU": "GRU",
}


def canonical(name: str) -> str | None:
    """The canonical ``keras.…`` name of a qualified name, or ``None`` if it does not belong to Keras."""
    root = next((r for r in ROOTS if name == r or name.startswith(r + ".")), None)
    if root is None:
        return None
    parts = [p for p in name[len(root) :].split(".") if p]
    if parts[:2] == ["api", "keras"] or parts[:1] in (["src"], ["api"]):
        parts = parts[parts.count("keras") + 1 :]
    return _home(_flatten(parts))


def _flatten(parts: list[str]) -> str:
    if not parts or parts[0] == "applications":
        return ".".join(["keras", *_application(parts)])
    room, rest = parts[0], parts[1:]
    if room in FLAT and len(rest) > 1:
        rest = _drop_submodules(rest)
    if room in ("layers", "engine") and rest:
        rest = [ALIASES.get(rest[0], rest[0]), *rest[1:]]
    return ".".join(["keras", room, *rest])


def _drop_submodules(rest: list[str]) -> list[str]:
    first_class = next((i for i, p in enumerate(rest) if p[:1].isupper()), None)
    if first_class is not None:
        return rest[first_class:]
    keep = len(rest) - 1
    return [p for p in rest[:keep] if p not in SUBMODULES] + rest[keep:]


def _application(parts: list[str]) -> list[str]:
    """``keras.applications.vgg16.VGG16`` is ``keras.applications.VGG16``; functions keep their module."""
    if len(parts) == 3 and parts[2][:1].isupper() and "_" not in parts[2]:
        return [parts[0], parts[2]]
    return parts


def _home(name: str) -> str:
    if (known := HOMES.get(name)) is not None:
        return known
    owner, _, member = name.rpartition(".")
    if owner.count(".") >= 2 and owner in HOMES:
        return f"{HOMES[owner]}.{member}"
    return name
