"""Keras: a callback that lowers the rate and stops early, for a monthly sales model."""
import keras
import numpy as np

keras.utils.set_random_seed(8)
WINDOW = 12


def series(months=400, seed=0):
    rng = np.random.default_rng(seed)
    t = np.arange(months)
    y = 0.004 * t + np.sin(2 * np.pi * t / 12) + rng.normal(0, 0.1, months)
    frames = np.lib.stride_tricks.sliding_window_view(y, WINDOW + 1)
    return frames[:, :-1, None].astype("float32"), frames[:, -1].astype("float32")


def forecaster(lr):
    model = keras.Sequential(
        [keras.Input((WINDOW, 1)), keras.layers.LSTM(16), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)]
    )
    model.compile(optimizer=keras.optimizers.Adam(learning_rate=lr, clipnorm=1.0), loss="mae")
    return model


def warm_then_decay(epoch, lr):
    return 1e-3 * (epoch + 1) if epoch < 4 else lr * 0.7


def main(epochs=8):
    x, y = series()
    cut = int(len(x) * 0.8)
    model = forecaster(lr=1e-3)
    early = keras.callbacks.EarlyStopping(monitor="val_loss", patience=6, restore_best_weights=True)
    rate = keras.callbacks.LearningRateScheduler(warm_then_decay)
    history = model.fit(
        x[:cut],
        y[:cut],
        batch_size=32,
        epochs=epochs,
        validation_data=(x[cut:], y[cut:]),
        callbacks=[early],
        verbose=0,
    )
    print(f"rate at the end {float(model.optimizer.learning_rate):.5f}, val mae {min(history.history['val_loss']):.4f}")


if __name__ == "__main__":
    main()
