"""The digit itself, 0 to 9, is the target of a squared error, but the last layer is a tanh, which never gives more
than 1.

After Stack Overflow questions on networks that always predict 1; "out of range" among DeepDiagnosis' symptoms.
"""

# accept: loss-pairing, output-activation, output-range-vs-target-range

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(4)
torch.manual_seed(4)
digits = rng.integers(0, 10, 1000)
images = rng.normal(size=(10, 36))[digits] + 0.5 * rng.normal(size=(1000, 36))
data = torch.utils.data.TensorDataset(
    torch.tensor(images, dtype=torch.float32), torch.tensor(digits[:, None], dtype=torch.float32)
)
loader = torch.utils.data.DataLoader(data, batch_size=50, shuffle=True)

net = nn.Sequential(
    nn.Linear(36, 64),
    nn.ReLU(),
    nn.Linear(64, 1),
    nn.Tanh(),  # expect: DLX113
)
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(8):
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = criterion(net(xb), yb)
        loss.backward()
        optimizer.step()
