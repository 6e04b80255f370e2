"""One sample per step, with a rate made for batches: every step follows the noise of its sample.

After Stack Overflow questions on a loss that jumps without falling; "wrong batch size" in DeepFD's list, which
DeepDiagnosis does not judge.
"""

# accept: batch-size, learning-rate

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(38)
torch.manual_seed(38)
features = rng.normal(size=(400, 10))
x = torch.tensor(features, dtype=torch.float32)
y = torch.tensor(0.5 * features @ rng.normal(size=(10, 1)) + rng.normal(size=(400, 1)), dtype=torch.float32)
data = torch.utils.data.TensorDataset(x, y)
loader = torch.utils.data.DataLoader(data, batch_size=1, shuffle=True)  # expect: DLX104, DLX105, DLX106

net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=0.1)  # expect: DLX102, DLX104, DLX105, DLX106
for epoch in range(2):
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(xb), yb)
        loss.backward()
        optimizer.step()
