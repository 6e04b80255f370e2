"""A student that is drawn to the average of its own past on unlabelled examples."""

import copy
import sys

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
centres = 1.2 * torch.randn(4, 8)


def sample(count):
    labels = torch.randint(4, (count,))
    return centres[labels] + torch.randn(count, 8), labels


labelled, labels = sample(80)
unlabelled, _ = sample(2000)
x_test, y_test = sample(1000)
student = nn.Sequential(nn.Linear(8, 48), nn.ReLU(), nn.Linear(48, 4))
teacher = copy.deepcopy(student).requires_grad_(False)
optimizer = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9)
for step in range(400):
    batch = unlabelled[torch.randint(len(unlabelled), (64,))]
    supervised = F.cross_entropy(student(labelled + 0.1 * torch.randn_like(labelled)), labels)
    agreement = F.mse_loss(student(batch + 0.2 * torch.randn_like(batch)).softmax(1), teacher(batch).softmax(1))
    loss = supervised + min(1.0, step / 100) * agreement
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        for slow, fast in zip(teacher.parameters(), student.parameters(), strict=True):
            slow.lerp_(fast, 0.02)
    if step % 100 == 99:
        accuracy = (teacher(x_test).argmax(1) == y_test).float().mean().item()
        print(f"step {step}: loss {loss.item():.4f}, accuracy of the average {accuracy:.3f}")
