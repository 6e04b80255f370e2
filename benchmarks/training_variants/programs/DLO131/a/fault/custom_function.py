import torch
import torch.nn as nn


class ScaledReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, input, slope):
        ctx.save_for_backward(input)
        ctx.slope = slope
        return input.clamp(min=0) * slope

    @staticmethod
    def backward(ctx, grad_output):
        (input,) = ctx.saved_tensors
        grad_input = grad_output * ctx.slope
        grad_input = grad_input.masked_fill(input < 0, 0)
        return grad_input


class Net(nn.Module):
    def __init__(self, slope=1.5):
        super().__init__()
        self.slope = slope
        self.fc1 = nn.Linear(4, 32)
        self.fc2 = nn.Linear(32, 1)

    def forward(self, x):
        return self.fc2(ScaledReLU.apply(self.fc1(x), self.slope))


torch.manual_seed(0)
x = torch.randn(200, 4)
y = x.abs().sum(dim=1, keepdim=True)
net = Net()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
criterion = nn.MSELoss()
for step in range(100):
    net.train()
    optimizer.zero_grad()
    loss = criterion(net(x), y)
    loss.backward()
    optimizer.step()
    if step % 25 == 0:
        print(step, round(loss.item(), 4))
