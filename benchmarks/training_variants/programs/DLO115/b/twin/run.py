import keras
import numpy as np

from stages import build, compile_model, freeze_encoder


class TwoStage:
    def __init__(self, width=10, classes=3):
        self.model = build(width, classes)
        compile_model(self.model, 1e-3)

    def pretrain(self, x, y):
        self.model.fit(x, y, epochs=3, batch_size=32, verbose=0)

    def finetune(self, x, y):
        freeze_encoder(self.model)
        compile_model(self.model, 1e-3)
        self.model.fit(x, y, epochs=3, batch_size=32, verbose=0)


def main():
    keras.utils.set_random_seed(1)
    rng = np.random.default_rng(1)
    x = rng.normal(size=(300, 10)).astype("float32")
    y = x[:, :3].argmax(axis=1)
    stages = TwoStage()
    stages.pretrain(x, y)
    kernel = stages.model.get_layer("enc_1").get_weights()[0]
    stages.finetune(x[:100], (y[:100] + 1) % 3)
    after = stages.model.get_layer("enc_1").get_weights()[0]
    print("encoder kept:", np.array_equal(kernel, after))


if __name__ == "__main__":
    main()
