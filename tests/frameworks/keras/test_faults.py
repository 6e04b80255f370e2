"""Programs that Keras refuses: the fault is proved, and it is the first one. Programs that run: nothing is claimed."""

import pytest

FAULTY = {
    "data of another width": (
        "m = Sequential([keras.Input((2,)), Dense(1)])\nm.compile('adam', 'mse')\n"
        "m.fit(np.ones((8, 3)), np.ones((8, 1)), verbose=0)",
        ("model_input", "input-shape"),
    ),
    "no batch axis": (
        "m = Sequential([keras.Input((16, 16, 3)), Conv2D(4, 3)])\nm(np.ones((16, 16, 3)))",
        ("model_input", "input-shape"),
    ),
    "number of samples in the input shape": (
        "x = np.ones((20, 8))\nm = Sequential([keras.Input(x.shape), Dense(1)])\nm.compile('adam', 'mse')\n"
        "m.fit(x, np.ones(20), verbose=0)",
        ("model_input", "input-shape"),
    ),
    "functional model, second input": (
        "a, b = keras.Input((3,)), keras.Input((5,))\nm = Model([a, b], concatenate([a, b]))\n"
        "m([np.ones((2, 3)), np.ones((2, 4))])",
        ("model_input", "input-shape"),
    ),
    "targets of another width": (
        "m = Sequential([keras.Input((4,)), Dense(3)])\nm.compile('adam', 'mse')\n"
        "m.fit(np.ones((8, 4)), np.ones((8, 2)), verbose=0)",
        ("keras_loss", "target-shape"),
    ),
    "one-hot labels for a sparse loss": (
        "m = Sequential([keras.Input((4,)), Dense(3, activation='softmax')])\n"
        "m.compile('adam', 'sparse_categorical_crossentropy')\n"
        "m.fit(np.ones((8, 4)), keras.utils.to_categorical(np.ones(8), 3), verbose=0)",
        ("keras_loss", "target-shape"),
    ),
    "class indices for a categorical loss": (
        "m = Sequential([keras.Input((4,)), Dense(3, activation='softmax')])\nm.compile('adam', 'categorical_crossentropy')\n"
        "m.fit(np.ones((8, 4)), np.ones((8,)), verbose=0)",
        ("keras_loss", "target-shape"),
    ),
    "fewer targets than samples": (
        "m = Sequential([keras.Input((4,)), Dense(1)])\nm.compile('adam', 'mse')\n"
        "m.fit(np.ones((80, 4)), np.ones((79, 1)), verbose=0)",
        ("paired_samples", "operator-shape"),
    ),
    "validation data of another width": (
        "m = Sequential([keras.Input((4,)), Dense(1)])\nm.compile('adam', 'mse')\n"
        "m.fit(np.ones((8, 4)), np.ones((8, 1)), validation_data=(np.ones((2, 5)), np.ones((2, 1))), verbose=0)",
        ("model_input", "input-shape"),
    ),
    "loss object in a custom step": (
        "keras.losses.CategoricalCrossentropy()(ops.ones((4, 2)), ops.ones((4, 3)))",
        ("keras_loss", "target-shape"),
    ),
    "sequence summary into a second recurrent layer": (
        "Sequential([keras.Input((10, 8)), LSTM(4), LSTM(4)])",
        ("rnn", "sequence-rank"),
    ),
    "flat input of a convolution": ("Conv2D(4, 3)(keras.Input((10,)))", ("conv", "rank")),
    "pooling to nothing": ("MaxPooling2D(4)(keras.Input((3, 3, 1)))", ("max_pool", "spatial-collapse")),
    "reshape to another size": ("Reshape((3, 5))(keras.Input((12,)))", ("reshape", "reshape-size")),
    "sums of different widths": ("Add()([keras.Input((3,)), keras.Input((4,))])", ("add", "broadcast")),
    "joined along the wrong axis": ("Concatenate()([keras.Input((4, 2)), keras.Input((5, 2))])", ("cat", "concat")),
    "a shared layer on two widths": (
        "d = Dense(3)\nd(keras.Input((4,)))\nd(keras.Input((5,)))",
        ("linear", "feature-size"),
    ),
    "a shared convolution on two widths": (
        "c = Conv2D(3, 3)\nc(keras.Input((8, 8, 4)))\nc(keras.Input((8, 8, 5)))",
        ("conv", "feature-size"),
    ),
    "normalisation on two widths": (
        "n = BatchNormalization()\nn(keras.Input((4,)))\nn(keras.Input((5,)))",
        ("batch_norm", "feature-size"),
    ),
    "width given as the axis": ("BatchNormalization(64)(keras.Input((64,)))", ("batch_norm", "axis-range")),
    "TimeDistributed on vectors": ("TimeDistributed(Dense(3))(keras.Input((4,)))", ("time_steps", "sequence-rank")),
    "own layer multiplies by its transposed weight": (
        "class L(Layer):\n"
        "    def build(self, s):\n        self.w = self.add_weight(shape=(4, s[-1]))\n"
        "    def call(self, x):\n        return ops.matmul(x, self.w)\n"
        "L()(ops.ones((2, 16)))",
        ("matmul", "matmul"),
    ),
    "subclassed model on data": (
        "class M(Model):\n    def __init__(self):\n        super().__init__()\n        self.c = Conv1D(4, 3)\n"
        "    def call(self, x):\n        return self.c(x)\n"
        "m = M()\nm.compile('adam', 'mse')\nm.fit(np.ones((8, 20)), np.ones((8, 4)), verbose=0)",
        ("conv", "rank"),
    ),
    "indices beyond the table": (
        "m = Sequential([keras.Input((5,)), Embedding(10, 4)])\nm.predict(np.full((2, 5), 10), verbose=0)",
        ("embedding", "index-range"),
    ),
    "skip connection of another size": (
        "i = keras.Input((33, 33, 1))\nx = Conv2D(4, 3, strides=2, padding='same')(i)\nx = UpSampling2D()(x)\n"
        "x = Add()([x, Conv2D(4, 1)(i)])",
        ("add", "broadcast"),
    ),
    "query and key of different widths": (
        "Attention()([ops.ones((2, 5, 4)), ops.ones((2, 7, 6))])",
        ("dot_attention", "operator-shape"),
    ),
}

SILENT = {
    "last axis of one is added": (
        "m = Sequential([keras.Input((8, 8, 1)), Conv2D(2, 3), Flatten(), Dense(1)])\nm.compile('adam', 'mse')\n"
        "m.fit(np.ones((4, 8, 8)), np.ones(4), verbose=0)"
    ),
    "column targets": (
        "m = Sequential([keras.Input((4,)), Dense(1, activation='sigmoid')])\nm.compile('adam', 'binary_crossentropy')\n"
        "m.fit(np.ones((8, 4)), np.ones((8,)), verbose=0)\nm.evaluate(np.ones((8, 4)), np.ones((8, 1)), verbose=0)"
    ),
    "a layer per width": "for w in (3, 4):\n    Dense(2)(keras.Input((w,)))",
    "dense on every step": "Dense(3)(keras.Input((5, 6)))",
    "free sizes": "i = keras.Input((None, None, 3))\nx = Conv2D(4, 3, padding='same')(i)\nx = Concatenate()([x, i])\n"
    "GlobalMaxPooling2D()(x)",
    "data sets of dictionaries": (
        "a, b = keras.Input((3,), name='a'), keras.Input((4,), name='b')\nm = Model([a, b], Dense(1)(concatenate([a, b])))\n"
        "m({'a': np.ones((2, 3)), 'b': np.ones((2, 4))})"
    ),
    "two heads": (
        "i = keras.Input((6,))\nm = Model(i, [Dense(1)(i), Dense(3, activation='softmax')(i)])\n"
        "m.compile('adam', ['mse', 'sparse_categorical_crossentropy'])\n"
        "m.fit(np.ones((4, 6)), [np.ones((4, 1)), np.ones((4,))], verbose=0)"
    ),
    "own loss": (
        "def loss(y_true, y_pred):\n    return ops.mean(ops.square(y_true - y_pred), axis=-1)\n"
        "m = Sequential([keras.Input((6,)), Dense(2)])\nm.compile('adam', loss)\n"
        "m.fit(np.ones((4, 6)), np.ones((4, 2)), verbose=0)"
    ),
    "train_on_batch of a stack of models": (
        "g = Sequential([keras.Input((5,)), Dense(9)])\nd = Sequential([keras.Input((9,)), Dense(1)])\n"
        "d.compile('adam', 'mse')\n"
        "i = keras.Input((5,))\ngan = Model(i, d(g(i)))\ngan.compile('adam', 'mse')\n"
        "fake = g.predict(np.ones((4, 5)), verbose=0)\n"
        "d.train_on_batch(np.concatenate([fake, np.ones((4, 9))]), np.ones((8, 1)))\n"
        "gan.train_on_batch(np.ones((4, 5)), np.ones((4, 1)))"
    ),
}


@pytest.mark.parametrize("name", FAULTY)
def test_fault_is_proved(name, faults):
    text, wanted = FAULTY[name]
    assert faults(text)[:1] == [wanted]


@pytest.mark.oracle
@pytest.mark.parametrize("name", FAULTY)
def test_keras_refuses(name, executed):
    with pytest.raises((ValueError, RuntimeError, IndexError, TypeError)):
        executed(FAULTY[name][0] + "\nout = (1,)\n")


@pytest.mark.parametrize("name", SILENT)
def test_nothing_is_claimed(name, faults):
    assert faults(SILENT[name]) == []


@pytest.mark.oracle
@pytest.mark.parametrize("name", SILENT)
def test_keras_accepts(name, executed):
    executed(SILENT[name] + "\nout = (1,)\n")
