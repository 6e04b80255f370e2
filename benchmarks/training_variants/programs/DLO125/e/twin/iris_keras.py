import keras
import numpy as np
from keras import layers
from sklearn.datasets import load_iris
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import OneHotEncoder, StandardScaler

keras.utils.set_random_seed(0)

data = load_iris()
X = StandardScaler().fit_transform(data.data)
Y = OneHotEncoder(sparse_output=False).fit_transform(data.target.reshape(-1, 1))
X_train, X_test, Y_train, Y_test = train_test_split(X, Y, test_size=0.3, random_state=2, stratify=data.target)

model = keras.Sequential()
model.add(keras.Input((4,)))
model.add(layers.Dense(8, activation="relu"))
model.add(layers.Dense(8, activation="relu"))
model.add(layers.Dense(3, activation="softmax"))
model.compile(loss="categorical_crossentropy", optimizer=keras.optimizers.Adam(learning_rate=0.01), metrics=["accuracy"])

model.fit(X_train, Y_train, epochs=20, batch_size=16, validation_data=(X_test, Y_test), verbose=0)

loss, acc = model.evaluate(X_test, Y_test, verbose=0)
print("Test loss: %.3f  accuracy: %.3f" % (loss, acc))
print(np.bincount(model.predict(X_test, verbose=0).argmax(1), minlength=3))
