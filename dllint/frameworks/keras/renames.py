"""What Keras 1 and 2 called arguments and symbols that Keras 3 calls otherwise.

Data only. ``KEYWORDS`` is used to bind calls that today's Keras rejects, and by the rule on renamed keywords.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

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
        "batch_input_shape": "batch_shape",
    },
    **{name: table for table, names in _FAMILIES for name in names.split()},
    "GaussianNoise": {"sigma": "stddev"},
    "UpSampling1D": {"length": "size"},
    "LeakyReLU": {"alpha": "negative_slope"},
    "BatchNormalization": {"beta_init": "beta_initializer", "gamma_init": "gamma_initializer"},
    "Embedding": {"init": "embeddings_initializer"},
    "Concatenate": {"concat_axis": "axis"},
}

_FIT: Final = {"nb_epoch": "epochs", "nb_worker": "workers"}
_FIT_GENERATOR: Final = {
    **_FIT,
    "samples_per_epoch": "steps_per_epoch",
    "nb_val_samples": "validation_steps",
    "max_q_size": "max_queue_size",
}
_OPTIMIZERS: Final = "SGD RMSprop Adam AdamW Adagrad Adadelta Adamax Nadam Ftrl Lion Adafactor Lamb"

#: Function or method → {old keyword: new keyword}.
KEYWORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "keras.Model": {"input": "inputs", "output": "outputs"},
    "keras.Model.fit": _FIT,
    "keras.Model.fit_generator": _FIT_GENERATOR,
    **{f"keras.optimizers.{name}": {"lr": "learning_rate"} for name in _OPTIMIZERS.split()},
    "keras.callbacks.ModelCheckpoint": {"period": "save_freq"},
    "keras.callbacks.ReduceLROnPlateau": {"epsilon": "min_delta"},
    "keras.utils.to_categorical": {"nb_classes": "num_classes", "y": "x"},
}

#: Removed or moved symbols, as written below ``keras`` → today's name, or ``""`` if there is no one-to-one replacement.
SYMBOLS: Final[Mapping[str, str]] = {
    "keras.utils.np_utils": "keras.utils",
    "keras.utils.np_utils.to_categorical": "keras.utils.to_categorical",
    "keras.layers.core": "keras.layers",
    "keras.layers.convolutional": "keras.layers",
    "keras.layers.normalization": "keras.layers",
    "keras.layers.recurrent": "keras.layers",
    "keras.layers.embeddings": "keras.layers",
    "keras.layers.pooling": "keras.layers",
    "keras.layers.noise": "keras.layers",
    "keras.layers.wrappers": "keras.layers",
    "keras.layers.advanced_activations": "keras.layers",
    "keras.layers.merge": "",
    "keras.engine.topology": "keras.layers",
    "keras.engine.topology.Layer": "keras.layers.Layer",
    "keras.engine.training.Model": "keras.Model",
    "keras.preprocessing.sequence.pad_sequences": "keras.utils.pad_sequences",
    "keras.utils.vis_utils.plot_model": "keras.utils.plot_model",
    "keras.layers.CuDNNLSTM": "keras.layers.LSTM",
    "keras.layers.CuDNNGRU": "keras.layers.GRU",
    "keras.layers.ThresholdedReLU": "",
    "keras.objectives": "keras.losses",
    "keras.wrappers.scikit_learn": "",
    "keras.preprocessing.text.Tokenizer": "keras.layers.TextVectorization",
    "keras.Model.predict_classes": "",
    "keras.Sequential.predict_classes": "",
    "keras.Sequential.predict_proba": "keras.Sequential.predict",
    "keras.Model.fit_generator": "keras.Model.fit",
    "keras.Model.evaluate_generator": "keras.Model.evaluate",
    "keras.Model.predict_generator": "keras.Model.predict",
}


def layer_keyword(layer: str, keyword: str) -> str | None:
    """Today's name of a layer's old keyword (``layer`` is the bare class name), ``None`` if it is none we know."""
    return LAYER_KEYWORDS.get(layer, {}).get(keyword) or LAYER_KEYWORDS["*"].get(keyword)


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


def is_keras_1_window(height: object, width: object, unknown_keywords: Collection[str]) -> bool:
    """Whether the second and third argument of a convolution are the sides of a window, as in ``Conv2D(32, 3, 3)``.

    A keyword that only Keras 1 had says so (:func:`is_keras_1_call`). Without one, the sides must be the same odd number: an
    even number twice is how images are cut into patches, and a stride as large as an odd window is not.
    """
    if is_keras_1_call(unknown_keywords):
        return True
    return isinstance(height, int) and height == width and height >= 3 and height % 2 == 1
