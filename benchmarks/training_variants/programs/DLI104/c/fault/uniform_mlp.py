import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.fc1 = nn.Linear(784, 256)
        self.fc2 = nn.Linear(256, 128)
        self.fc3 = nn.Linear(128, 10)

    def forward(self, x):
        x = torch.sigmoid(self.fc1(x.view(-1, 784)))
        x = torch.sigmoid(self.fc2(x))
        return self.fc3(x)


def weights_init_uniform(m):
    classname = m.__class__.__name__
    if classname.find("Linear") != -1:
        m.weight.data.uniform_(0.0, 1.0)
        m.bias.data.fill_(0)


model = Net()
model.apply(weights_init_uniform)

images = torch.rand(100, 1, 28, 28)
labels = torch.randint(0, 10, (100,))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(5):
    for i in range(0, 100, 25):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(images[i : i + 25]), labels[i : i + 25])
        loss.backward()
        optimizer.step()
    print("epoch", epoch, "loss", round(loss.item(), 4), "grad fc1 %.2e" % model.fc1.weight.grad.abs().mean().item())
