import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim

torch.manual_seed(17)
n_classes, epochs, bs = 4, 6, 32

centers = torch.randn(n_classes, 1, 16, 16)
y_all = torch.randint(0, n_classes, (320,))
x_all = centers[y_all] + 0.8 * torch.randn(320, 1, 16, 16)
x_train, y_train, x_test, y_test = x_all[:256], y_all[:256], x_all[256:], y_all[256:]


class CNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3)
        self.bn1 = nn.BatchNorm2d(8)
        self.conv2 = nn.Conv2d(8, 16, 3)
        self.drop = nn.Dropout(0.4)
        self.fc = nn.Linear(16 * 2 * 2, n_classes)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(x))), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        return self.fc(self.drop(x.view(x.size(0), -1)))


net = CNN()
criterion = nn.CrossEntropyLoss()
optimizer = optim.Adam(net.parameters(), lr=0.001)

for epoch in range(epochs):
    perm = torch.randperm(len(x_train))
    for i in range(0, len(perm), bs):
        idx = perm[i:i + bs]
        optimizer.zero_grad()
        loss = criterion(net(x_train[idx]), y_train[idx])
        loss.backward()
        optimizer.step()
print('Finished Training')

correct = 0
total = 0
with torch.no_grad():
    for i in range(0, len(x_test), 16):
        outputs = net(x_test[i:i + 16])
        _, predicted = torch.max(outputs.data, 1)
        total += len(predicted)
        correct += (predicted == y_test[i:i + 16]).sum().item()
print('Accuracy of the network on the test images: %.1f %%' % (100 * correct / total))
