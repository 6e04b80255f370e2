"""What Keras 1 and 2 called arguments and symbols that Keras 3 calls otherwise.

Data only. ``KEYWORDS`` is used to bind calls that today's Keras rejects, and by the rule on renamed keywords.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Final

from dllint.ir.values import Value

_DENSE: Final = {"output_dim": "units"}
_RECURRENT: Final = {
    **_DENSE,
    "inner_init": "recurrent_initializer",
    "U_regularizer": "recurrent_regularizer",
    "dropout_W": "dropout",
    "dropout_U": "recurrent_dropout",
}
_GATED: Final = {**_RECURRENT, "inner_activation": "recurrent_activation"}
_CONVOLUTION: Final = {
    "nb_filter": "filters",
    "filter_length": "kernel_size",
    "filter_size": "kernel_size",
    "border_mode": "padding",
    "subsample": "strides",
    "subsample_length": "strides",
    "dim_ordering": "data_format",
    "atrous_rate": "dilation_rate",
    "stride": "strides",
}
_POOLING: Final = {"pool_length": "pool_size", "stride": "strides", "border_mode": "padding", "dim_ordering": "data_format"}

#: Families of layers that share their old keywords.
_FAMILIES: Final = (
    (_DENSE, "Dense"),
    (_RECURRENT, "SimpleRNN"),
    (_GATED, "GRU"),
    ({**_GATED, "forget_bias_init": "unit_forget_bias"}, "LSTM"),
    (_CONVOLUTION, "Conv1D Conv2D Conv3D Conv1DTranspose Conv2DTranspose Conv3DTranspose SeparableConv1D SeparableConv2D"),
    (_CONVOLUTION, "ConvLSTM2D"),
    ({old: new for old, new in _CONVOLUTION.items() if new != "filters"}, "DepthwiseConv1D DepthwiseConv2D"),
    (_POOLING, "MaxPooling1D MaxPooling2D MaxPooling3D AveragePooling1D AveragePooling2D AveragePooling3D"),
    ({"p": "rate"}, "Dropout GaussianDropout SpatialDropout1D SpatialDropout2D SpatialDropout3D"),
)

#: Layer → {old keyword: new keyword}; ``*`` holds for every layer, a class's own table wins.
LAYER_KEYWORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "*": {
        "init": "kernel_initializer",
        "W_regularizer": "kernel_regularizer",
        "b_regularizer": "bias_regularizer",
        "W_constraint": "kernel_constraint",
        "b_constraint": "bias_constraint",
        "bias": "use_bias",
    },
    **{name: table for table, names in _FAMILIES for name in names.split()},
    "GaussianNoise": {"sigma": "stddev"},
    "UpSampling1D": {"length": "size"},
    "BatchNormalization": {"beta_init": "beta_initializer", "gamma_init": "gamma_initializer"},
    "Embedding": {"init": "embeddings_initializer"},
    "Concatenate": {"concat_axis": "axis"},
}

#: Keywords that are still taken, with a warning, beside their new names.
TAKEN: Final[Mapping[str, Mapping[str, str]]] = {"LeakyReLU": {"alpha": "negative_slope"}}

_OPTIMIZERS: Final = "SGD RMSprop Adam AdamW Adagrad Adadelta Adamax Nadam Ftrl Lion Adafactor Lamb"

#: Function or method → {old keyword: new keyword}.
KEYWORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "keras.Model": {"input": "inputs", "output": "outputs"},
    "keras.Model.fit": {"nb_epoch": "epochs"},
    "keras.Sequential.fit": {"nb_epoch": "epochs"},
    **{f"keras.optimizers.{name}": {"lr": "learning_rate"} for name in _OPTIMIZERS.split()},
    "keras.utils.to_categorical": {"nb_classes": "num_classes", "y": "x"},
}

#: Keyword without a successor → what to do. The class of a layer stands for all layers.
KEYWORD_ADVICE: Final[Mapping[str, Mapping[str, str]]] = {
    "keras.layers.Layer": {"batch_input_shape": "put `keras.Input(batch_shape=...)` in front of the layer"},
    "keras.callbacks.ModelCheckpoint": {"period": "give `save_freq`, which counts batches"},
}

#: Name that is gone, as written below ``keras`` → today's name; a part stands for all that is below it and exists today.
MOVED: Final[Mapping[str, str]] = {
    "keras.utils.np_utils": "keras.utils",
    "keras.utils.vis_utils": "keras.utils",
    "keras.layers.core": "keras.layers",
    "keras.layers.convolutional": "keras.layers",
    "keras.layers.normalization": "keras.layers",
    "keras.layers.recurrent": "keras.layers",
    "keras.layers.embeddings": "keras.layers",
    "keras.layers.pooling": "keras.layers",
    "keras.layers.noise": "keras.layers",
    "keras.layers.wrappers": "keras.layers",
    "keras.layers.advanced_activations": "keras.layers",
    "keras.layers.merge": "keras.layers",
    "keras.layers.core.K": "keras.backend",
    "keras.engine.topology": "keras.layers",
    "keras.engine.training": "keras",
    "keras.layers.CuDNNLSTM": "keras.layers.LSTM",
    "keras.layers.CuDNNGRU": "keras.layers.GRU",
    "keras.objectives": "keras.losses",
    "keras.Sequential.predict_proba": "keras.Sequential.predict",
    "keras.Model.fit_generator": "keras.Model.fit",
    "keras.Model.evaluate_generator": "keras.Model.evaluate",
    "keras.Model.predict_generator": "keras.Model.predict",
    "keras.Sequential.fit_generator": "keras.Sequential.fit",
    "keras.Sequential.evaluate_generator": "keras.Sequential.evaluate",
    "keras.Sequential.predict_generator": "keras.Sequential.predict",
}

#: Module of Keras 1 that no later release has → what to use (release notes of Keras 2.0).
ANCIENT: Final[Mapping[str, str]] = {
    "initializations": "keras.initializers, whose functions are classes and take no shape",
}

_CLASSES: Final = "`predict(x).argmax(axis=-1)`, or `predict(x) > 0.5` for one sigmoid unit"
#: What to use where arguments or results differ.
ADVICE: Final[Mapping[str, str]] = {
    "keras.Model.predict_classes": _CLASSES,
    "keras.Sequential.predict_classes": _CLASSES,
    "keras.layers.Merge": "the merging layers (`Add`, `Concatenate`, …)",
    "keras.layers.merge": "the merging layers (`Add`, `Concatenate`, …)",
    "keras.wrappers": "the package scikeras",
    "keras.wrappers.scikit_learn": "the package scikeras",
    "keras.preprocessing.text": "keras.layers.TextVectorization, which is adapted to texts and called on them",
    "keras.preprocessing.image.ImageDataGenerator": "keras.utils.image_dataset_from_directory and augmentation layers",
}


def layer_keyword(layer: str, keyword: str) -> str | None:
    """Today's name of a layer's old keyword (``layer`` is the bare class name), ``None`` if it is none we know."""
    own = LAYER_KEYWORDS.get(layer, {}).get(keyword) or TAKEN.get(layer, {}).get(keyword)
    return own or LAYER_KEYWORDS["*"].get(keyword)


def is_taken(layer: str, keyword: str) -> bool:
    """Whether a layer still takes an old keyword."""
    return keyword in TAKEN.get(layer, {})


#: Keras 1 took height and width of the window as two arguments; the second of them is the stride today.
TWO_SIDED: Final = frozenset({"keras.layers.Conv2D", "keras.layers.Conv2DTranspose", "keras.layers.SeparableConv2D"})
#: Keywords that only Keras 1 had.
_KERAS_1: Final = frozenset({
    "border_mode", "subsample", "init", "dim_ordering", "W_regularizer", "b_regularizer", "W_constraint", "b_constraint",
    "activity_constraint",
})  # fmt: skip


def is_keras_1_call(unknown_keywords: Collection[str]) -> bool:
    """Whether a layer is built with a keyword that only Keras 1 had; today's Keras rejects it, so that Keras 1 is meant."""
    return not _KERAS_1.isdisjoint(unknown_keywords)


def is_keras_1_window(height: Value, width: Value, unknown_keywords: Collection[str]) -> bool:
    """Whether the second and third argument of a convolution are the sides of a window, as in ``Conv2D(32, 3, 3)``.

    A keyword that only Keras 1 had says so (:func:`is_keras_1_call`). Without one, the sides must be the same odd number: an
    even number twice is how images are cut into patches, and a stride as large as an odd window is not.
    """
    if is_keras_1_call(unknown_keywords):
        return True
    return isinstance(height, int) and height == width and height >= 3 and height % 2 == 1


#: Keywords of layers, of models and of ``fit`` that only Keras 1 had.
_OF_KERAS_1: Final = re.compile(
    r"\b(?:border_mode|subsample|nb_filters?|nb_row|nb_epoch|dim_ordering|samples_per_epoch|nb_val_samples)\s*="
    r"|\bModel\([^()=]{0,80}\b(?:input|output)\s*="
)


@lru_cache(maxsize=4)
def is_keras_1_file(text: str) -> bool:
    """Whether a file shows elsewhere that it is written for Keras 1."""
    return _OF_KERAS_1.search(text) is not None
