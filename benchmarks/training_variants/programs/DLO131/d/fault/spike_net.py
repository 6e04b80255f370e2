import torch
from torch import nn

from surrogate import spike


class SpikingNet(nn.Module):
    def __init__(self, inputs, hidden, classes, decay=0.9):
        super().__init__()
        self.into = nn.Linear(inputs, hidden)
        self.out = nn.Linear(hidden, classes)
        self.decay = decay

    def forward(self, trains):
        membrane = torch.zeros(trains.size(0), self.into.out_features)
        total = 0.0
        for frame in trains.unbind(dim=1):
            membrane = self.decay * membrane + self.into(frame)
            fired = spike(membrane - 1.0)
            membrane = membrane * (1.0 - fired.detach())
            total = total + self.out(fired)
        return total / trains.size(1)


torch.manual_seed(20)
label = torch.randint(0, 2, (32,))
rate = 0.2 + 0.5 * label.float().view(-1, 1, 1)
trains = (torch.rand(32, 12, 10) < rate).float()
net = SpikingNet(10, 24, 2)
optimizer = torch.optim.Adamax(net.parameters(), lr=0.01)
for epoch in range(10):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(net(trains), label)
    loss.backward()
    optimizer.step()
print("final %.4f" % loss.item())
