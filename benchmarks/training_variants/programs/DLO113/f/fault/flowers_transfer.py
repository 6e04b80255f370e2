import torch
from torch import nn, optim


class Backbone(nn.Module):
    """Stand-in for a network from the zoo, same attributes."""

    def __init__(self, num_classes=1000):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 32, 7, stride=2, padding=3)
        self.bn1 = nn.BatchNorm2d(32)
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(32, num_classes)

    def forward(self, x):
        x = self.avgpool(torch.relu(self.bn1(self.conv1(x))))
        return self.fc(torch.flatten(x, 1))


def build(num_classes):
    model = Backbone()
    num_ftrs = model.fc.in_features
    model.fc = nn.Linear(num_ftrs, num_classes)
    for param in model.parameters():
        param.requires_grad = False
    return model


torch.manual_seed(5)
model_conv = build(5)
criterion = nn.CrossEntropyLoss()
optimizer_conv = optim.SGD(filter(lambda p: p.requires_grad, model_conv.parameters()), lr=0.001, momentum=0.9)

inputs = torch.rand(30, 3, 32, 32)
labels = torch.randint(0, 5, (30,))
for epoch in range(5):
    for i in range(0, 30, 10):
        optimizer_conv.zero_grad()
        loss = criterion(model_conv(inputs[i:i + 10]), labels[i:i + 10])
        loss.backward()
        optimizer_conv.step()
    print(epoch, round(loss.item(), 4))
