import tensorflow as tf


class PINN(tf.keras.Model):
    """u' = -u with u(0) = 1."""

    def __init__(self, width=16):
        super().__init__()
        self.h1 = tf.keras.layers.Dense(width, activation="tanh")
        self.h2 = tf.keras.layers.Dense(width, activation="tanh")
        self.u = tf.keras.layers.Dense(1)

    def call(self, t):
        return self.u(self.h2(self.h1(t)))


def residual(net, t):
    with tf.GradientTape() as inner:
        u = net(t)
    du = inner.gradient(u, t)
    return du + u


def train_step(net, optimizer, points):
    with tf.GradientTape() as tape:
        physics = tf.reduce_mean(tf.square(residual(net, points)))
        boundary = tf.reduce_mean(tf.square(net(tf.zeros((1, 1))) - 1.0))
        loss = physics + boundary
    variables = net.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss


def main(steps=30):
    tf.random.set_seed(2)
    net = PINN()
    optimizer = tf.keras.optimizers.Adam(5e-3)
    points = tf.reshape(tf.linspace(0.0, 2.0, 24), (-1, 1))
    for step in range(steps):
        loss = train_step(net, optimizer, points)
    print("loss", round(float(loss), 4), "u(1) =", round(float(net(tf.ones((1, 1)))[0, 0]), 3))


if __name__ == "__main__":
    main()
