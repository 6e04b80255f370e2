# Customer churn, notebook 3: a first neural network
import numpy as np
import pandas as pd
from tensorflow import keras

keras.utils.set_random_seed(2)
rng = np.random.default_rng(2)

df = pd.DataFrame(
    {
        "tenure": rng.integers(0, 72, 300),
        "monthly": rng.normal(65, 20, 300),
        "calls": rng.poisson(2, 300),
    }
)
df["churn"] = ((df.calls > 2) & (df.tenure < 30)).astype(int)

features = (df[["tenure", "monthly", "calls"]] - df[["tenure", "monthly", "calls"]].mean()) / df[["tenure", "monthly", "calls"]].std()
X = features.to_numpy("float32")
Y = df["churn"].to_numpy("float32")

EPOCHS = 25

model = keras.Sequential()
model.add(keras.layers.Input((3,)))
model.add(keras.layers.Dense(16, activation="relu"))
model.add(keras.layers.Dense(1, activation="sigmoid"))
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])

history = model.fit(X, Y, epochs=EPOCHS, verbose=0)
print("epochs run:", len(history.history["loss"]))
print("accuracy: %.3f" % history.history["accuracy"][-1])
