import numpy as np
import tensorflow as tf

TRUE_W, TRUE_B = 3.0, 2.0
x = tf.random.normal(shape=(200, 1), seed=1)
y = x * TRUE_W + TRUE_B + tf.random.normal(shape=(200, 1), seed=2) * 0.1


class Regression(tf.Module):
    def __init__(self, units=8):
        super().__init__()
        self.w1 = tf.Variable(tf.random.normal([1, units], stddev=0.5))
        self.b1 = tf.Variable(tf.zeros([units]))
        self.w2 = tf.Variable(tf.random.normal([units, 1], stddev=0.5))

    def __call__(self, inputs):
        return tf.nn.relu(inputs @ self.w1 + self.b1) @ self.w2


model = Regression()
opt = tf.keras.optimizers.Adam(learning_rate=0.01)


def train(model, x, y):
    with tf.GradientTape() as tape:
        current_loss = tf.reduce_mean(tf.square(y - model(x)))
    variables = model.trainable_variables
    grads = tape.gradient(current_loss, variables)
    opt.apply_gradients(zip(variables, grads))
    return current_loss


for epoch in range(20):
    loss = train(model, x, y)
print("loss %.4f" % np.asarray(loss))
