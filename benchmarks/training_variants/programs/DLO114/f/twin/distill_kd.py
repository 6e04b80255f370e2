import torch
from torch import nn
from torch.nn import functional as F


def mlp(width):
    return nn.Sequential(nn.Linear(10, width), nn.ReLU(), nn.Linear(width, 3))


class Distiller(nn.Module):
    def __init__(self, teacher, student, T=2.0, alpha=0.7):
        super().__init__()
        self.teacher = teacher
        self.student = student
        self.T, self.alpha = T, alpha
        for p in self.teacher.parameters():
            p.requires_grad = False

    def forward(self, x, y):
        t, s = self.teacher(x), self.student(x)
        soft = F.kl_div(F.log_softmax(s / self.T, 1), F.softmax(t / self.T, 1), reduction="batchmean") * self.T ** 2
        return self.alpha * soft + (1 - self.alpha) * F.cross_entropy(s, y)


def main():
    torch.manual_seed(0)
    x = torch.randn(300, 10)
    y = x[:, :3].argmax(1)
    teacher, student = mlp(128), mlp(8)
    opt = torch.optim.Adam(teacher.parameters(), lr=1e-2)
    for _ in range(60):
        opt.zero_grad()
        F.cross_entropy(teacher(x), y).backward()
        opt.step()
    print("teacher", (teacher(x).argmax(1) == y).float().mean().item())

    kd = Distiller(teacher, student)
    opt = torch.optim.Adam(kd.parameters(), lr=1e-2)
    for _ in range(60):
        opt.zero_grad(set_to_none=True)
        kd(x, y).backward()
        opt.step()
    frozen = sum(p.numel() for p in kd.parameters() if not p.requires_grad)
    print("student", (student(x).argmax(1) == y).float().mean().item(), "frozen parameters", frozen)


main()
