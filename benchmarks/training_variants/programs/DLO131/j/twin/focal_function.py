import torch
from torch import nn
from torch.autograd import Function


class SoftThreshold(Function):
    @staticmethod
    def forward(ctx, x, threshold, gain):
        ctx.save_for_backward(x, threshold)
        ctx.gain = gain
        return gain * torch.sign(x) * torch.clamp(x.abs() - threshold, min=0)

    @staticmethod
    def backward(ctx, grad_output):
        x, threshold = ctx.saved_tensors
        active = (x.abs() > threshold).to(grad_output.dtype)
        grad_x = ctx.gain * grad_output * active
        grad_threshold = -(ctx.gain * grad_output * active * torch.sign(x)).sum().reshape(threshold.shape)
        return grad_x, grad_threshold, None


class LISTA(nn.Module):
    """Unrolled sparse coding with a learnt threshold."""

    def __init__(self, signal, code, steps=3):
        super().__init__()
        self.steps = steps
        self.analysis = nn.Linear(signal, code, bias=False)
        self.mutual = nn.Linear(code, code, bias=False)
        self.threshold = nn.Parameter(torch.tensor([0.05]))
        self.synthesis = nn.Linear(code, signal, bias=False)

    def forward(self, y):
        drive = self.analysis(y)
        z = SoftThreshold.apply(drive, self.threshold, 1.0)
        for _ in range(self.steps):
            z = SoftThreshold.apply(drive + self.mutual(z), self.threshold, 1.0)
        return self.synthesis(z)


def main():
    torch.manual_seed(0)
    dictionary = torch.randn(24, 12) / 3
    code = torch.randn(256, 24) * (torch.rand(256, 24) < 0.15)
    signal = code @ dictionary
    model = LISTA(12, 24)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(5):
        for batch in signal.split(64):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(batch), batch)
            loss.backward()
            optimizer.step()
    print(f"loss {loss.item():.4f} threshold {model.threshold.item():.4f}")


if __name__ == "__main__":
    main()
