"""Whole programs: models of every kind, run for real and traced, give the same output shapes."""

import pytest

PROGRAMS = {
    "input shape of a model of one tensor": """
        x = keras.Input((8, 6, 3))
        inner = keras.Model(x, Flatten()(x))
        model = keras.Model(x, Dense(2)(x))
        out = model.input_shape
    """,
    "input shape of a model of lists of one": """
        x = keras.Input((8, 6, 3))
        inner = keras.Model(x, Flatten()(x))
        model = keras.Model([x], [Dense(2)(x)])
        out = model.input_shape
    """,
    "output shape of a model of lists of one": """
        x = keras.Input((8, 6, 3))
        inner = keras.Model(x, Flatten()(x))
        model = keras.Model([x], [Dense(2)(x)])
        out = model.output_shape
    """,
    "input declared like that of another model": """
        x = keras.Input((8, 6, 3))
        inner = keras.Model(x, Flatten()(x))
        model = keras.Model(inner.inputs, inner.outputs)
        out = inner(keras.Input(model.input_shape[1:]))
    """,
    "sequential with declared input": """
        model = Sequential([keras.Input((28, 28, 1)), Conv2D(8, 3, activation='relu'), MaxPooling2D(), Flatten(), Dense(10,
        activation='softmax')])
        out = model.output_shape
    """,
    "sequential that grows": """
        model = Sequential()
        model.add(keras.Input((20,)))
        for width in (64, 32):
            model.add(Dense(width, activation='relu'))
            model.add(Dropout(0.5))
        model.add(Dense(3))
        out = [model.output_shape, model.layers[0].output]
    """,
    "first layer declares the input": """
        model = Sequential([Dense(8, input_shape=(5,)), Dense(2)])
        out = model.output_shape
    """,
    "input_dim of the first layer": """
        model = Sequential()
        model.add(Dense(8, input_dim=7))
        out = model(np.zeros((4, 7)))
    """,
    "deferred build on data": """
        model = Sequential([Conv1D(4, 3), Flatten(), Dense(2)])
        out = model(ops.ones((6, 10, 3)))
    """,
    "built by hand": """
        model = Sequential([Dense(4), Dense(2)])
        model.build(input_shape=(None, 7))
        out = [model.output_shape, model(ops.ones((3, 7)))]
    """,
    "pop": """
        model = Sequential([keras.Input((6,)), Dense(4), Dense(3)])
        model.pop()
        out = model.output_shape
    """,
    "functional with two inputs": """
        a, b = keras.Input((8,)), keras.Input((8, 4))
        x = Dense(16)(a)
        y = LSTM(16)(b)
        model = Model([a, b], Dense(1)(concatenate([x, y])))
        out = [model.output, model([ops.ones((3, 8)), ops.ones((3, 8, 4))])]
    """,
    "functional called on data": """
        inp = keras.Input((16, 16, 3))
        x = Conv2D(4, 3, padding='same')(inp)
        x = Add()([x, Conv2D(4, 1)(inp)])
        x = GlobalAveragePooling2D()(x)
        model = Model(inp, x)
        out = [model(np.random.rand(5, 16, 16, 3)), model.predict(np.random.rand(7, 16, 16, 3), verbose=0)]
    """,
    "functional with a free axis": """
        inp = keras.Input((None, 4))
        model = Model(inp, Conv1D(6, 3)(inp))
        out = [model.output, model(ops.ones((2, 9, 4)))]
    """,
    "shared layers": """
        shared = Dense(6)
        a, b = keras.Input((4,)), keras.Input((4,))
        out = Subtract()([shared(a), shared(b)])
    """,
    "nested models": """
        encoder = Sequential([keras.Input((8, 8, 1)), Conv2D(4, 3, strides=2, padding='same'), Flatten(), Dense(5)])
        decoder = Sequential([Dense(16), Reshape((4, 4, 1)), UpSampling2D()])
        inp = keras.Input((8, 8, 1))
        auto = Model(inp, decoder(encoder(inp)))
        out = [auto.output, auto(ops.zeros((2, 8, 8, 1)))]
    """,
    "features of a middle layer": """
        inp = keras.Input((12,))
        h = Dense(7, name='hidden')(inp)
        model = Model(inp, Dense(2)(h))
        features = Model(model.input, model.get_layer('hidden').output)
        out = [features.output, features(ops.ones((3, 12))), model.layers[-1].output]
    """,
    "subclassed model": """
        class Net(keras.Model):
            def __init__(self, units=5):
                super().__init__()
                self.first = Dense(16, activation='relu')
                self.drop = Dropout(0.2)
                self.blocks = [Dense(8) for _ in range(3)]
                self.last = Dense(units)

            def call(self, x, training=False):
                x = self.drop(self.first(x), training=training)
                for block in self.blocks:
                    x = block(x)
                return self.last(x)

        out = Net(4)(ops.ones((2, 10)))
    """,
    "subclassed model trained": """
        class Net(keras.Model):
            def __init__(self):
                super().__init__()
                self.net = Sequential([Dense(4), Dense(1)])

            def call(self, x):
                return self.net(x)

        net = Net()
        net.compile('adam', 'mse')
        net.fit(np.random.rand(8, 3), np.random.rand(8, 1), verbose=0)
        out = net.predict(np.random.rand(5, 3), verbose=0)
    """,
    "layer with weights built on the first call": """
        class Linear(Layer):
            def __init__(self, units, **kwargs):
                super().__init__(**kwargs)
                self.units = units

            def build(self, input_shape):
                self.w = self.add_weight(shape=(input_shape[-1], self.units), initializer='random_normal', trainable=True)
                self.b = self.add_weight(shape=(self.units,), initializer='zeros')

            def call(self, inputs):
                return ops.matmul(inputs, self.w) + self.b

        inp = keras.Input((9, 6))
        out = [Linear(5, name='one')(inp), Linear(3)(Linear(4)(inp))]
    """,
    "layer of several inputs": """
        class Gate(Layer):
            def __init__(self):
                super().__init__()
                self.dense = Dense(1, activation='sigmoid')

            def build(self, input_shape):
                self.scale = self.add_weight(shape=(input_shape[0][-1],))

            def call(self, inputs):
                a, b = inputs
                gate = self.dense(ops.concatenate([a, b], axis=-1))
                return gate * a * self.scale + (1 - gate) * b

        out = Gate()([keras.Input((7,)), keras.Input((7,))])
    """,
    "transformer block": """
        class Block(Layer):
            def __init__(self, dim, heads, ff):
                super().__init__()
                self.att = MultiHeadAttention(num_heads=heads, key_dim=dim)
                self.ffn = Sequential([Dense(ff, activation='relu'), Dense(dim)])
                self.norm1, self.norm2 = LayerNormalization(epsilon=1e-6), LayerNormalization(epsilon=1e-6)
                self.drop = Dropout(0.1)

            def call(self, x, training=False):
                x = self.norm1(x + self.drop(self.att(x, x), training=training))
                return self.norm2(x + self.ffn(x))

        inp = keras.Input((20,), dtype='int32')
        x = Embedding(1000, 32)(inp) + Embedding(20, 32)(ops.arange(0, 20, 1))
        out = Dense(2)(GlobalAveragePooling1D()(Block(32, 4, 64)(x)))
    """,
    "residual blocks from a function": """
        def block(x, filters, stride):
            shortcut = x
            if stride != 1 or x.shape[-1] != filters:
                shortcut = Conv2D(filters, 1, strides=stride, padding='same')(x)
            y = Conv2D(filters, 3, strides=stride, padding='same')(x)
            y = Activation('relu')(BatchNormalization()(y))
            return Add()([Conv2D(filters, 3, padding='same')(y), shortcut])

        inp = keras.Input((33, 33, 3))
        x = Conv2D(16, 7, strides=2, padding='same')(inp)
        for i, filters in enumerate([16, 32, 64]):
            x = block(x, filters, 1 if i == 0 else 2)
        out = [x, Model(inp, x)(ops.ones((2, 33, 33, 3)))]
    """,
    "unet": """
        inp = keras.Input((64, 48, 1))
        skips, x = [], inp
        for f in (8, 16):
            x = Conv2D(f, 3, padding='same', activation='relu')(x)
            skips.append(x)
            x = MaxPooling2D()(x)
        x = Conv2D(32, 3, padding='same')(x)
        for f, skip in zip((16, 8), reversed(skips)):
            x = Conv2DTranspose(f, 2, strides=2)(x)
            x = concatenate([x, skip])
        out = Conv2D(1, 1, activation='sigmoid')(x)
    """,
    "sequence to sequence": """
        enc_in = keras.Input((None, 11))
        _, h, c = LSTM(16, return_state=True)(enc_in)
        dec_in = keras.Input((None, 13))
        seq, _, _ = LSTM(16, return_sequences=True, return_state=True)(dec_in, initial_state=[h, c])
        out = Model([enc_in, dec_in], Dense(13, activation='softmax')(seq)).output
    """,
    "text classifier": """
        model = Sequential([keras.Input((50,)), Embedding(2000, 16), Bidirectional(LSTM(8, return_sequences=True)),
        GlobalMaxPooling1D(), Dense(1)])
        out = [layer.output for layer in model.layers]
    """,
    "pretrained features": """
        base = keras.applications.MobileNetV2(weights=None, include_top=False, input_shape=(96, 96, 3))
        base.trainable = False
        x = GlobalAveragePooling2D()(base.output)
        out = [base.output, Model(base.input, Dense(5)(x)).output, base(keras.Input((96, 96, 3)))]
    """,
    "pretrained inside sequential": """
        base = keras.applications.VGG16(weights=None, include_top=False, input_shape=(64, 64, 3))
        model = Sequential([base, Flatten(), Dense(10)])
        out = model(ops.ones((2, 64, 64, 3)))
    """,
    "pretrained with its top": """
        out = keras.applications.ResNet50(weights=None, classes=7).output
    """,
    "preprocessed images": """
        x = keras.applications.vgg16.preprocess_input(np.random.rand(2, 32, 32, 3))
        out = [x, keras.applications.resnet_v2.preprocess_input(keras.Input((20, 20, 3)))]
    """,
    "layer attributes and weights": """
        dense, conv = Dense(5), Conv2D(4, 3)
        dense(keras.Input((7,))), conv(keras.Input((8, 8, 2)))
        out = [dense.kernel, dense.bias, conv.kernel, dense.output, (dense.units, conv.filters)]
    """,
    "data prepared with numpy": """
        x = np.random.randint(0, 255, (30, 28, 28)).astype('float32') / 255
        x = x.reshape(x.shape[0], 28, 28, 1)
        y = keras.utils.to_categorical(np.random.randint(0, 10, 30), 10)
        model = Sequential([keras.Input(x.shape[1:]), Conv2D(4, 3), Flatten(), Dense(y.shape[1], activation='softmax')])
        model.compile('adam', 'categorical_crossentropy')
        model.fit(x, y, verbose=0)
        out = [x, y, np.argmax(model.predict(x[:5], verbose=0), axis=1)]
    """,
    "losses as objects and functions": """
        y, p = ops.ones((8, 3)), ops.ones((8, 3)) / 3
        out = [keras.losses.CategoricalCrossentropy()(y, p), keras.losses.mean_squared_error(y, p),
               keras.losses.MeanAbsoluteError(reduction='none')(y, p),
               keras.losses.sparse_categorical_crossentropy(ops.zeros((8,)), p)]
    """,
    "to_categorical of column labels": """
        out = [keras.utils.to_categorical(np.zeros((6, 1), dtype='int32'), num_classes=4), keras.utils.to_categorical([0, 1,
        2])]
    """,
    "pad_sequences": """
        out = keras.utils.pad_sequences([[1, 2], [3], [4, 5, 6]], maxlen=9)
    """,
    "lambda with arguments and shapes": """
        inp = keras.Input((6, 4))
        half = Lambda(lambda t, n: t[:, :n], arguments={'n': 3})(inp)
        b, n, c = inp.shape
        out = [half, Reshape((n * c,))(inp), Lambda(lambda ts: ts[0] * ts[1])([inp, inp])]
    """,
    "reparameterisation": """
        class Sampling(Layer):
            def call(self, inputs):
                mean, log_var = inputs
                batch, dim = ops.shape(mean)[0], ops.shape(mean)[1]
                return mean + ops.exp(0.5 * log_var) * keras.random.normal(shape=(batch, dim))

        h = Dense(16)(keras.Input((10,)))
        out = Sampling()([Dense(2)(h), Dense(2)(h)])
    """,
}


def text_of(name):
    lines = PROGRAMS[name].strip("\n").rstrip().split("\n")
    return "\n".join(line[8:] for line in lines) + "\n"


@pytest.mark.oracle
@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name, inferred, executed):
    assert inferred(text_of(name)) == executed(text_of(name))


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_fault_is_claimed(name, faults):
    assert faults(text_of(name)) == []
