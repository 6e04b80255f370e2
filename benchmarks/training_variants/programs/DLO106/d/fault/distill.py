"""Distil a wide teacher into a narrow student."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(4)
T = 2.0

teacher = nn.Sequential(nn.Linear(16, 128), nn.ReLU(), nn.Linear(128, 5))
student = nn.Sequential(nn.Linear(16, 12), nn.ReLU(), nn.Linear(12, 5))
data = torch.randn(200, 16)


def soft_targets(inputs):
    teacher.eval()
    torch.set_grad_enabled(False)
    probs = F.softmax(teacher(inputs) / T, dim=-1)
    return probs


def kd_loss(logits, probs):
    return F.kl_div(F.log_softmax(logits / T, dim=-1), probs, reduction="batchmean") * T * T


opt = torch.optim.SGD(student.parameters(), lr=0.1, momentum=0.9)
for epoch in range(5):
    perm = torch.randperm(len(data))
    running = 0.0
    for k in range(0, len(data), 50):
        batch = data[perm[k : k + 50]]
        target = soft_targets(batch)
        opt.zero_grad()
        loss = kd_loss(student(batch), target)
        loss.backward()
        opt.step()
        running += loss.item()
    print("epoch %d  kd %.4f" % (epoch, running / 4))
