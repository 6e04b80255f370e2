"""Well-known architectures written the way Keras users write them: no fault is claimed, and shapes are Keras's."""

import pytest

PROGRAMS = {
    "vision transformer": """
class Patches(layers.Layer):
    def __init__(self, patch_size):
        super().__init__()
        self.patch_size = patch_size

    def call(self, images):
        shape = ops.shape(images)
        batch, height, width, channels = shape[0], shape[1], shape[2], shape[3]
        rows, columns = height // self.patch_size, width // self.patch_size
        patches = ops.reshape(images, (batch, rows, self.patch_size, columns, self.patch_size, channels))
        patches = ops.transpose(patches, (0, 1, 3, 2, 4, 5))
        return ops.reshape(patches, (batch, rows * columns, self.patch_size * self.patch_size * channels))


class PatchEncoder(layers.Layer):
    def __init__(self, count, dim):
        super().__init__()
        self.count = count
        self.projection = layers.Dense(units=dim)
        self.position = layers.Embedding(input_dim=count, output_dim=dim)

    def call(self, patch):
        positions = ops.expand_dims(ops.arange(start=0, stop=self.count, step=1), axis=0)
        return self.projection(patch) + self.position(positions)


def mlp(x, units, rate):
    for n in units:
        x = layers.Dense(n, activation=keras.activations.gelu)(x)
        x = layers.Dropout(rate)(x)
    return x


inputs = keras.Input(shape=(72, 72, 3))
encoded = PatchEncoder((72 // 6) ** 2, 64)(Patches(6)(inputs))
for _ in range(3):
    x1 = layers.LayerNormalization(epsilon=1e-6)(encoded)
    attention = layers.MultiHeadAttention(num_heads=4, key_dim=64, dropout=0.1)(x1, x1)
    x2 = layers.Add()([attention, encoded])
    x3 = mlp(layers.LayerNormalization(epsilon=1e-6)(x2), [128, 64], 0.1)
    encoded = layers.Add()([x3, x2])
representation = layers.Dropout(0.5)(layers.Flatten()(layers.LayerNormalization()(encoded)))
out = [encoded, keras.Model(inputs, layers.Dense(100)(mlp(representation, [256, 128], 0.5))).output]
""",
    "point net": """
class OrthogonalRegularizer(keras.regularizers.Regularizer):
    def __init__(self, n):
        self.n = n

    def __call__(self, x):
        x = ops.reshape(x, (-1, self.n, self.n))
        return ops.sum(ops.square(ops.matmul(x, ops.transpose(x, (0, 2, 1)))))


def conv_bn(x, filters):
    x = layers.Conv1D(filters, kernel_size=1, padding="valid")(x)
    return layers.Activation("relu")(layers.BatchNormalization(momentum=0.0)(x))


def dense_bn(x, filters):
    return layers.Activation("relu")(layers.BatchNormalization(momentum=0.0)(layers.Dense(filters)(x)))


def tnet(inputs, n):
    bias = keras.initializers.Constant(np.eye(n).flatten())
    x = conv_bn(conv_bn(inputs, 32), 64)
    x = dense_bn(layers.GlobalMaxPooling1D()(x), 32)
    x = layers.Dense(n * n, kernel_initializer="zeros", bias_initializer=bias, activity_regularizer=OrthogonalRegularizer(n))(x)
    return layers.Dot(axes=(2, 1))([inputs, layers.Reshape((n, n))(x)])


inputs = keras.Input(shape=(512, 3))
x = conv_bn(tnet(inputs, 3), 32)
x = layers.GlobalMaxPooling1D()(conv_bn(tnet(x, 32), 64))
out = [x, layers.Dense(10, activation="softmax")(layers.Dropout(0.3)(dense_bn(x, 128)))]
""",
    "variational autoencoder with its own step": """
class Sampling(layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.seed_generator = keras.random.SeedGenerator(1337)

    def call(self, inputs):
        z_mean, z_log_var = inputs
        batch, dim = ops.shape(z_mean)[0], ops.shape(z_mean)[1]
        epsilon = keras.random.normal(shape=(batch, dim), seed=self.seed_generator)
        return z_mean + ops.exp(0.5 * z_log_var) * epsilon


latent_dim = 2
encoder_inputs = keras.Input(shape=(28, 28, 1))
x = layers.Conv2D(32, 3, activation="relu", strides=2, padding="same")(encoder_inputs)
x = layers.Conv2D(64, 3, activation="relu", strides=2, padding="same")(x)
x = layers.Dense(16, activation="relu")(layers.Flatten()(x))
z_mean = layers.Dense(latent_dim, name="z_mean")(x)
z_log_var = layers.Dense(latent_dim, name="z_log_var")(x)
encoder = keras.Model(encoder_inputs, [z_mean, z_log_var, Sampling()([z_mean, z_log_var])], name="encoder")
latent_inputs = keras.Input(shape=(latent_dim,))
x = layers.Reshape((7, 7, 64))(layers.Dense(7 * 7 * 64, activation="relu")(latent_inputs))
x = layers.Conv2DTranspose(64, 3, activation="relu", strides=2, padding="same")(x)
x = layers.Conv2DTranspose(32, 3, activation="relu", strides=2, padding="same")(x)
decoder = keras.Model(latent_inputs, layers.Conv2DTranspose(1, 3, activation="sigmoid", padding="same")(x), name="decoder")


class VAE(keras.Model):
    def __init__(self, encoder, decoder, **kwargs):
        super().__init__(**kwargs)
        self.encoder, self.decoder = encoder, decoder
        self.tracker = keras.metrics.Mean(name="loss")

    @property
    def metrics(self):
        return [self.tracker]

    def call(self, data):
        mean, log_var, z = self.encoder(data)
        reconstruction = self.decoder(z)
        loss = ops.mean(ops.sum(keras.losses.binary_crossentropy(data, reconstruction), axis=(1, 2)))
        kl = -0.5 * (1 + log_var - ops.square(mean) - ops.exp(log_var))
        self.add_loss(loss + ops.mean(ops.sum(kl, axis=1)))
        return reconstruction


vae = VAE(encoder, decoder)
out = [vae(ops.zeros((4, 28, 28, 1))), encoder(ops.zeros((5, 28, 28, 1))), decoder.predict(np.zeros((3, 2)), verbose=0)]
""",
    "generative adversarial network": """
discriminator = keras.Sequential([
    keras.Input(shape=(64, 64, 3)),
    layers.Conv2D(64, kernel_size=4, strides=2, padding="same"), layers.LeakyReLU(negative_slope=0.2),
    layers.Conv2D(128, kernel_size=4, strides=2, padding="same"), layers.LeakyReLU(negative_slope=0.2),
    layers.Flatten(), layers.Dropout(0.2), layers.Dense(1, activation="sigmoid"),
])
generator = keras.Sequential([
    keras.Input(shape=(128,)), layers.Dense(8 * 8 * 128), layers.Reshape((8, 8, 128)),
    layers.Conv2DTranspose(128, kernel_size=4, strides=2, padding="same"), layers.LeakyReLU(negative_slope=0.2),
    layers.Conv2DTranspose(256, kernel_size=4, strides=2, padding="same"), layers.LeakyReLU(negative_slope=0.2),
    layers.Conv2DTranspose(512, kernel_size=4, strides=2, padding="same"), layers.LeakyReLU(negative_slope=0.2),
    layers.Conv2D(3, kernel_size=5, padding="same", activation="sigmoid"),
])
loss_fn = keras.losses.BinaryCrossentropy()
real = np.random.rand(6, 64, 64, 3).astype("float32")
noise = keras.random.normal(shape=(real.shape[0], 128))
combined = ops.concatenate([generator(noise), real], axis=0)
labels = ops.concatenate([ops.ones((6, 1)), ops.zeros((6, 1))], axis=0)
labels = ops.clip(labels + 0.05 * keras.random.uniform(labels.shape), 0, 1)
predictions = discriminator(combined)
out = [combined, predictions, loss_fn(labels, predictions)]
""",
    "atrous spatial pyramid": """
def convolution_block(x, filters=64, kernel_size=3, dilation_rate=1, use_bias=False):
    x = layers.Conv2D(filters, kernel_size=kernel_size, dilation_rate=dilation_rate, padding="same", use_bias=use_bias,
                      kernel_initializer=keras.initializers.HeNormal())(x)
    return ops.nn.relu(layers.BatchNormalization()(x))


def pyramid(inputs):
    dims = inputs.shape
    x = layers.AveragePooling2D(pool_size=(dims[-3], dims[-2]))(inputs)
    x = convolution_block(x, kernel_size=1, use_bias=True)
    pool = layers.UpSampling2D(size=(dims[-3] // x.shape[1], dims[-2] // x.shape[2]), interpolation="bilinear")(x)
    branches = [pool, convolution_block(inputs, kernel_size=1)]
    branches += [convolution_block(inputs, dilation_rate=rate) for rate in (6, 12, 18)]
    return convolution_block(layers.Concatenate(axis=-1)(branches), kernel_size=1)


image = keras.Input(shape=(128, 128, 3))
low = layers.MaxPooling2D(4)(convolution_block(image, 16))
high = layers.MaxPooling2D(4)(convolution_block(low, 32))
a = layers.UpSampling2D(size=(128 // 4 // high.shape[1], 128 // 4 // high.shape[2]))(pyramid(high))
x = layers.Concatenate(axis=-1)([a, convolution_block(low, 48, kernel_size=1)])
x = layers.UpSampling2D(size=(128 // x.shape[1], 128 // x.shape[2]), interpolation="bilinear")(convolution_block(x))
out = [high, x, layers.Conv2D(20, kernel_size=(1, 1), padding="same")(x)]
""",
    "time series transformer": """
def encoder(inputs, head_size, num_heads, ff_dim, dropout=0):
    x = layers.MultiHeadAttention(key_dim=head_size, num_heads=num_heads, dropout=dropout)(inputs, inputs)
    x = layers.LayerNormalization(epsilon=1e-6)(layers.Dropout(dropout)(x))
    res = x + inputs
    x = layers.Conv1D(filters=ff_dim, kernel_size=1, activation="relu")(res)
    x = layers.Conv1D(filters=inputs.shape[-1], kernel_size=1)(layers.Dropout(dropout)(x))
    return layers.LayerNormalization(epsilon=1e-6)(x) + res


x_train = np.random.rand(20, 500)
x_train = x_train.reshape((x_train.shape[0], x_train.shape[1], 1))
y_train = np.random.randint(0, 2, 20)
idx = np.random.permutation(len(x_train))
x_train, y_train = x_train[idx], y_train[idx]
n_classes = 2
inputs = keras.Input(shape=x_train.shape[1:])
x = inputs
for _ in range(2):
    x = encoder(x, head_size=16, num_heads=2, ff_dim=4, dropout=0.25)
x = layers.GlobalAveragePooling1D(data_format="channels_last")(x)
for dim in [8]:
    x = layers.Dropout(0.4)(layers.Dense(dim, activation="relu")(x))
model = keras.Model(inputs, layers.Dense(n_classes, activation="softmax")(x))
model.compile(loss="sparse_categorical_crossentropy", optimizer=keras.optimizers.Adam(learning_rate=1e-4), metrics=["accuracy"])
out = [x_train, model.output, model(x_train[:3])]
""",
    "siamese network with a distance layer": """
embedding_net = keras.Sequential([keras.Input((24, 24, 1)), layers.Conv2D(4, 5), layers.AveragePooling2D(2)])
embedding_net.add(layers.Flatten())
embedding_net.add(layers.Dense(10))


class DistanceLayer(layers.Layer):
    def call(self, anchor, positive, negative):
        ap = ops.sum(ops.square(anchor - positive), -1)
        return ap, ops.sum(ops.square(anchor - negative), -1)


anchor, positive, negative = (keras.Input((24, 24, 1), name=name) for name in ("anchor", "positive", "negative"))
distances = DistanceLayer()(embedding_net(anchor), embedding_net(positive), embedding_net(negative))
siamese = keras.Model(inputs=[anchor, positive, negative], outputs=distances)
euclid = layers.Lambda(lambda v: ops.sqrt(ops.sum(ops.square(v[0] - v[1]), axis=1, keepdims=True)), output_shape=(1,))
triple = [ops.zeros((2, 24, 24, 1))] * 3
out = [list(distances), list(siamese(triple)), euclid([embedding_net(anchor), embedding_net(positive)])]
""",
    "mixer blocks as layers": """
class MLPMixerLayer(layers.Layer):
    def __init__(self, num_patches, hidden_units, dropout_rate, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.mlp1 = keras.Sequential([layers.Dense(units=num_patches, activation="gelu"), layers.Dense(units=num_patches)])
        self.mlp2 = keras.Sequential([layers.Dense(units=num_patches, activation="gelu"), layers.Dense(units=hidden_units)])
        self.drop = layers.Dropout(rate=dropout_rate)
        self.normalize = layers.LayerNormalization(epsilon=1e-6)

    def build(self, input_shape):
        return super().build(input_shape)

    def call(self, inputs):
        x = self.normalize(inputs)
        channels = ops.transpose(x, axes=(0, 2, 1))
        mixed = ops.transpose(self.mlp1(channels), axes=(0, 2, 1))
        x = mixed + inputs
        return x + self.drop(self.mlp2(self.normalize(x)))


blocks = keras.Sequential([MLPMixerLayer(64, 32, 0.2) for _ in range(2)])
out = [blocks(keras.Input((64, 32))), layers.GlobalAveragePooling1D()(blocks(ops.ones((2, 64, 32))))]
""",
}


@pytest.mark.oracle
@pytest.mark.parametrize("name", PROGRAMS)
def test_shapes(name, inferred, executed):
    assert inferred(PROGRAMS[name]) == executed(PROGRAMS[name])


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_fault_is_claimed(name, faults):
    assert faults(PROGRAMS[name]) == []
