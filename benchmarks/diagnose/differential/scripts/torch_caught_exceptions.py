"""Errors that the program expects: wrong sizes, labels without an output, a detached loss."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(12, 4), torch.randint(0, 3, (12,))
for step in range(20):
    for inputs, labels in ((torch.randn(12, 5), y), (x, y + 3), (x, y[:5]), (x, y)):
        try:
            loss = criterion(model(inputs), labels)
            loss.backward()
        except (RuntimeError, IndexError, ValueError) as error:
            if not step:
                print(type(error).__name__, str(error).splitlines()[0])
    try:
        loss.detach().backward()
    except RuntimeError as error:
        if not step:
            print(error)
    optimizer.step()
    optimizer.zero_grad()
print(loss.item())
try:
    torch.optim.SGD([], lr=0.1)
except ValueError as error:
    print(error)
