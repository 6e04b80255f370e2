"""Keras sentiment-like bag-of-words model with an L2 penalty on every kernel."""
import keras
import numpy as np

PENALTY = 1e-4


def bags(n, seed, vocab=200):
    rng = np.random.default_rng(seed)
    counts = rng.poisson(0.1, (n, vocab)).astype("float32")
    tone = np.random.default_rng(0).normal(size=vocab)
    return counts, (counts @ tone > 0).astype("int32")


def dense(units, activation):
    return keras.layers.Dense(units, activation=activation, kernel_regularizer=keras.regularizers.L2(PENALTY))


class BagModel(keras.Model):
    def __init__(self, width=24):
        super().__init__()
        self.hidden = dense(width, "relu")
        self.score = dense(2, "softmax")

    def call(self, counts):
        return self.score(self.hidden(counts))


def main():
    keras.utils.set_random_seed(9)
    model = BagModel()
    model.compile(
        optimizer=keras.optimizers.Adam(learning_rate=3e-3, beta_1=0.88),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    early = keras.callbacks.EarlyStopping(monitor="val_loss", patience=4, restore_best_weights=True)
    model.fit(*bags(1500, 1), batch_size=50, epochs=8, validation_data=bags(300, 2), callbacks=[early], verbose=0)
    _, accuracy = model.evaluate(*bags(500, 3), verbose=0)
    print(f"test accuracy {accuracy:.3f}, kernel norm {np.linalg.norm(model.hidden.get_weights()[0]):.4f}")


if __name__ == "__main__":
    main()
