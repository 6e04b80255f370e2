"""The network ends in a softmax, and the loss applies another one: probabilities are squeezed together and learning is
slow.

After the Stack Overflow question whether CrossEntropyLoss needs a softmax; "redundant softmax" in Theia's and
TheDeepChecker's lists.
"""

# accept: loss-pairing, softmax-before-cross-entropy, redundant-activation

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(0)
torch.manual_seed(0)
labels = rng.integers(0, 6, 1200)
features = rng.normal(size=(1200, 16)) + 1.5 * rng.normal(size=(6, 16))[labels]
data = torch.utils.data.TensorDataset(torch.tensor(features, dtype=torch.float32), torch.tensor(labels))
loader = torch.utils.data.DataLoader(data, batch_size=40, shuffle=True)


class Classifier(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.hidden = nn.Linear(16, 48)
        self.out = nn.Linear(48, 6)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.relu(self.hidden(x))
        return torch.softmax(self.out(x), dim=1)  # expect: DLX113


net = Classifier()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(6):
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = criterion(net(xb), yb)
        loss.backward()
        optimizer.step()
