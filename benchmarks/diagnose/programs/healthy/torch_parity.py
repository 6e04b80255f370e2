"""The parity of three hidden bits: nothing seems to happen for long, then it is learnt at once (a slow start)."""

import sys

import torch
from torch import nn

torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
model = nn.Sequential(nn.Linear(16, 128), nn.ReLU(), nn.Linear(128, 2))
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-2)
criterion = nn.CrossEntropyLoss()
accuracies = []
for step in range(600):
    bits = torch.randint(0, 2, (64, 16))
    parity = bits[:, 2] ^ bits[:, 5] ^ bits[:, 11]
    output = model(2.0 * bits - 1)
    loss = criterion(output, parity)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    accuracies.append(float((output.argmax(1) == parity).float().mean()))
print(f"accuracy {sum(accuracies[:100]) / 100:.3f} at first, {sum(accuracies[-50:]) / 50:.3f} in the end")
assert sum(accuracies[-50:]) / 50 > 0.9
