"""A loop of torch around a model of Keras."""
# backends: torch

import keras
import numpy as np
import torch

keras.utils.set_random_seed(0)
x = torch.from_numpy(np.random.randn(96, 4).astype("float32"))
y = (x[:, 0] > 0).long()
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(16, "relu"), keras.layers.Dense(2)])
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(4):
    for i in range(0, 96, 16):
        loss = torch.nn.functional.cross_entropy(model(x[i : i + 16]), y[i : i + 16])
        model.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
