"""Models, optimizers and functions that are copied and pickled as a whole while the loop runs."""

import copy
import io
import pickle

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self, activation, loss):
        super().__init__()
        self.first, self.second = nn.Linear(4, 8), nn.Linear(8, 2)
        self.activation, self.loss = activation, loss

    def forward(self, x, y):
        return self.loss(self.second(self.activation(self.first(x))), y)


torch.manual_seed(0)
torch.use_deterministic_algorithms(True)
net = Net(torch.relu, F.cross_entropy)
optimizer = torch.optim.Adam(net.parameters(), lr=0.02)
schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 0.99**step)
x = torch.randn(32, 4)
y = (x[:, 0] > 0).long()
sizes = []
for step in range(40):
    loss = net(x, y)
    if step == 7:
        # Built while another one trains, and saved later.
        other = Net(torch.sigmoid, F.cross_entropy)
    if step % 10 == 3:
        kept = io.BytesIO()
        torch.save(net, kept)
        sizes.append(len(kept.getvalue()))
        again = torch.load(io.BytesIO(kept.getvalue()), weights_only=False)
        twin = copy.deepcopy(net)
        assert twin.activation is net.activation
        assert again.loss is F.cross_entropy
        assert pickle.loads(pickle.dumps(F.mse_loss)) is F.mse_loss
        print(step, again(x, y).item() == twin(x, y).item(), len(pickle.dumps(optimizer.state_dict())))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    schedule.step()
print(sizes, loss.item(), sorted(vars(net))[:4], type(optimizer).step.__qualname__)
second = Net(torch.tanh, F.nll_loss)
torch.save(second, "second.pt")
torch.save(net, "net.pt")
torch.save(other, "other.pt")
torch.save(optimizer, "optimizer.pt")
