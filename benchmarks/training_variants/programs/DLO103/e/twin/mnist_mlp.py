import torch
from torch import nn, optim

torch.manual_seed(42)

# stand-in for MNIST
prototypes = torch.rand(10, 28 * 28)
labels = torch.randint(0, 10, (600,))
images = prototypes[labels] + 0.3 * torch.randn(600, 28 * 28)
trainloader = torch.utils.data.DataLoader(list(zip(images, labels)), batch_size=64, shuffle=True)

model = nn.Sequential(
    nn.Linear(784, 128),
    nn.ReLU(),
    nn.Linear(128, 64),
    nn.ReLU(),
    nn.Linear(64, 10),
    nn.LogSoftmax(dim=1),
)
criterion = nn.NLLLoss()
optimizer = optim.SGD(model.parameters(), lr=0.01, momentum=0.5)

epochs = 5
for e in range(epochs):
    running_loss = 0
    for images, labels in trainloader:
        optimizer.zero_grad()
        output = model(images)
        loss = criterion(output, labels)
        loss.backward()
        optimizer.step()
        running_loss += loss.item()
    print(f"Epoch {e} - Training loss: {running_loss / len(trainloader):.4f}")
