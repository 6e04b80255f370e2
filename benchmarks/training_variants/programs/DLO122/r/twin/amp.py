"""Mixed precision behind a switch."""
import torch


class Precision:
    def __init__(self, device, enabled=True):
        self.device = device
        self.enabled = enabled
        self.scaler = torch.amp.GradScaler(device, enabled=enabled)

    def autocast(self):
        return torch.autocast(self.device, dtype=torch.bfloat16 if self.device == "cpu" else torch.float16, enabled=self.enabled)

    def backward(self, loss):
        self.scaler.scale(loss).backward()

    def step(self, optimizer):
        self.scaler.step(optimizer)
        self.scaler.update()
