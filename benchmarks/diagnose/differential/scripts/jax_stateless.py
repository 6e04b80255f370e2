"""The stateless loop of Keras on JAX."""
# backends: jax

import jax
import keras
import numpy as np

keras.utils.set_random_seed(0)
x = np.random.randn(96, 4).astype("float32")
y = x[:, :1] - x[:, 1:2]
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(16, "relu"), keras.layers.Dense(1)])
optimizer = keras.optimizers.Adam(0.01)
optimizer.build(model.trainable_variables)


def loss_of(trainable, fixed, x, y):
    output, fixed = model.stateless_call(trainable, fixed, x, training=True)
    return jax.numpy.mean((output - y) ** 2), fixed


@jax.jit
def step(state, x, y):
    trainable, fixed, slots = state
    (loss, fixed), gradients = jax.value_and_grad(loss_of, has_aux=True)(trainable, fixed, x, y)
    trainable, slots = optimizer.stateless_apply(slots, gradients, trainable)
    return loss, (trainable, fixed, slots)


state = tuple(
    [v.value for v in group] for group in (model.trainable_variables, model.non_trainable_variables, optimizer.variables)
)
for number in range(30):
    loss, state = step(state, x, y)
for variable, value in zip(model.trainable_variables, state[0]):
    variable.assign(value)
print(repr(float(loss)))
