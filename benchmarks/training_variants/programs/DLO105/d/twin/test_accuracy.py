# Train LeNet on random digits and report the accuracy (exported from a notebook)
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(2)


class LeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, padding=2)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc1 = nn.Linear(16 * 5 * 5, 84)
        self.fc2 = nn.Linear(84, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        return self.fc2(F.relu(self.fc1(x.flatten(1))))


net = LeNet()
images = torch.rand(60, 1, 28, 28)
targets = torch.randint(0, 10, (60,))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)

for epoch in range(2):
    for i in range(0, 60, 20):
        optimizer.zero_grad()
        F.cross_entropy(net(images[i : i + 20]), targets[i : i + 20]).backward()
        optimizer.step()

net.eval()
correct = 0
with torch.no_grad():
    for i in range(0, 60, 20):
        guess = net(images[i : i + 20]).argmax(1)
        correct += (guess == targets[i : i + 20]).sum().item()
print("Accuracy: {:.1f} %".format(100 * correct / 60))
