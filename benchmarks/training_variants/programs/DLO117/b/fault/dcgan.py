import tensorflow as tf

from networks import make_discriminator, make_generator


class DCGAN:
    def __init__(self, noise_dim=10):
        self.noise_dim = noise_dim
        self.generator = make_generator(noise_dim)
        self.discriminator = make_discriminator()
        self.g_opt = tf.keras.optimizers.Adam(2e-4, beta_1=0.5)
        self.d_opt = tf.keras.optimizers.Adam(2e-4, beta_1=0.5)
        self.bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)

    def losses(self, images):
        noise = tf.random.normal((images.shape[0], self.noise_dim))
        fake = self.generator(noise, training=True)
        real_out = self.discriminator(images, training=True)
        fake_out = self.discriminator(fake, training=True)
        g_loss = self.bce(tf.ones_like(fake_out), fake_out)
        d_loss = self.bce(tf.ones_like(real_out), real_out) + self.bce(tf.zeros_like(fake_out), fake_out)
        return g_loss, d_loss

    def apply(self, tape, loss, network, optimizer):
        variables = network.trainable_variables
        gradients = tape.gradient(loss, variables)
        optimizer.apply_gradients(zip(gradients, variables))

    def train_step(self, images):
        with tf.GradientTape() as tape:
            g_loss, d_loss = self.losses(images)
        self.apply(tape, g_loss, self.generator, self.g_opt)
        self.apply(tape, d_loss, self.discriminator, self.d_opt)
        return float(g_loss), float(d_loss)


if __name__ == "__main__":
    tf.keras.utils.set_random_seed(0)
    disks = tf.cast(tf.random.uniform((64, 8, 8, 1)) > 0.5, tf.float32)
    gan = DCGAN()
    for step, batch in enumerate(tf.data.Dataset.from_tensor_slices(disks).batch(16).repeat(2).prefetch(1)):
        g_loss, d_loss = gan.train_step(batch)
        print(step, f"G {g_loss:.4f} D {d_loss:.4f}")
