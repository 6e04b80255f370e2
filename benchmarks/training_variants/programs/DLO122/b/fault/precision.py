import torch


class Precision:
    """Full or half precision behind one interface."""

    def __init__(self, device, half):
        self.device = device
        self.half = half
        self.scaler = torch.amp.GradScaler(device, init_scale=2.0**40, enabled=half)

    def context(self):
        return torch.autocast(self.device, dtype=torch.float16, enabled=self.half)

    def backward(self, loss):
        self.scaler.scale(loss).backward()

    def step(self, optimizer):
        self.scaler.step(optimizer)
