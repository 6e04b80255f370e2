# Ridge regression and a two-layer network by hand, from the course exercises
import torch

torch.manual_seed(0)
N, D_in, H = 64, 10, 20
x = torch.randn(N, D_in)
y = x @ torch.randn(D_in, 1) + 0.1 * torch.randn(N, 1)

w1 = torch.randn(D_in, H) * 0.1
w2 = torch.randn(H, 1) * 0.1
w1.requires_grad_()
w2.requires_grad_()
learning_rate = 1e-2
lam = 1e-3

for t in range(100):
    y_pred = x.mm(w1).clamp(min=0).mm(w2)
    loss = (y_pred - y).pow(2).mean() + lam * (w1.pow(2).sum() + w2.pow(2).sum())
    loss.backward()
    w1 -= learning_rate * w1.grad
    w2 -= learning_rate * w2.grad
    w1.grad.zero_()
    w2.grad.zero_()
    if t % 20 == 0:
        print(t, loss.item())

print("norms", w1.norm().item(), w2.norm().item())
