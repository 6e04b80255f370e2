"""Two outputs, a sample weight, ``add_loss``, a loss and a layer of its own, class weights."""
# backends: torch tensorflow jax

import keras
import numpy as np
from keras import ops


class Noisy(keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.units, self.seed = units, keras.random.SeedGenerator(3)

    def build(self, shape):
        self.w = self.add_weight(shape=(shape[-1], self.units), initializer="glorot_uniform")

    def call(self, x, training=False):
        y = ops.matmul(x, self.w)
        self.add_loss(0.01 * ops.mean(ops.square(self.w)))
        return y + 0.01 * keras.random.normal(ops.shape(y), seed=self.seed) if training else y


keras.utils.set_random_seed(0)
x = np.random.randn(96, 5).astype("float32")
first, second = x[:, :1] * 2, (x[:, 1] > 0).astype("int32")
inputs = keras.Input((5,))
hidden = keras.layers.LayerNormalization()(Noisy(16)(inputs))
outputs = {"a": keras.layers.Dense(1, name="a")(hidden), "b": keras.layers.Dense(2, name="b")(hidden)}
model = keras.Model(inputs, outputs)
model.compile(
    keras.optimizers.AdamW(0.01, clipnorm=1.0),
    {"a": lambda t, p: ops.mean(ops.abs(t - p)), "b": keras.losses.SparseCategoricalCrossentropy(from_logits=True)},
    loss_weights={"a": 1.0, "b": 0.5},
)
history = model.fit(x, {"a": first, "b": second}, batch_size=16, epochs=3, verbose=0)
print(sorted((name, [repr(float(v)) for v in values]) for name, values in history.history.items()))
