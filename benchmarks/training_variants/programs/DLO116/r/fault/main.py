import keras
import numpy as np

from model import Denoiser


def main():
    keras.utils.set_random_seed(0)
    clean = np.random.normal(size=(128, 10)).astype("float32")
    noisy = clean + 0.3 * np.random.normal(size=clean.shape).astype("float32")
    model = Denoiser(10)
    model.compile(optimizer=keras.optimizers.Adam(1e-3))
    model.fit(noisy, clean, epochs=2, batch_size=32, verbose=0)
    print("done")


if __name__ == "__main__":
    main()
