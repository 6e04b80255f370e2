import argparse

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers


def build_model(vocab, maxlen, args):
    seq_in = keras.Input(shape=(maxlen,), dtype="int32")
    x = layers.Embedding(vocab, 16)(seq_in)
    branches = [layers.GlobalMaxPooling1D()(layers.Conv1D(8, k, activation="relu")(x)) for k in (2, 3)]
    x = layers.concatenate(branches)
    x = layers.Dropout(args.dropout)(x)
    out = layers.Dense(1, activation="sigmoid")(x)
    model = keras.Model(seq_in, out)

    rmsprop = keras.optimizers.RMSprop(learning_rate=args.lr, rho=0.9, clipnorm=1.0)
    model.compile(loss="binary_crossentropy", optimizer="rmsprop", metrics=["accuracy"])
    return model


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--lr", type=float, default=0.005)
    ap.add_argument("--dropout", type=float, default=0.3)
    args = ap.parse_args()

    keras.utils.set_random_seed(3)
    docs = np.random.randint(1, 60, (160, 20))
    labels = (docs == 7).any(axis=1).astype("float32")
    model = build_model(60, 20, args)
    log = model.fit(docs, labels, epochs=3, batch_size=16, verbose=0)
    print("loss", ["%.4f" % v for v in log.history["loss"]])


if __name__ == "__main__":
    main()
