import torch
from torch import nn

from networks import SuperResolution


class Solver:
    def __init__(self, config):
        self.config = config
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.net = SuperResolution(config["scale"]).to(self.device)
        self.optim = torch.optim.Adam(self.net.parameters(), lr=config["lr"])
        self.scaler = torch.amp.GradScaler(self.device.type)
        self.loss = nn.L1Loss()

    def train_batch(self, low, high):
        low, high = low.to(self.device), high.to(self.device)
        self.optim.zero_grad()
        with torch.autocast(self.device.type, dtype=torch.float16):
            loss = self.loss(self.net(low), high)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optim)
        self.scaler.update()
        return loss.item()

    def train(self, low, high):
        self.net.train()
        for epoch in range(self.config["epochs"]):
            losses = [self.train_batch(a, b) for a, b in zip(low.split(8), high.split(8))]
            print(epoch, round(sum(losses) / len(losses), 5), "scale", self.scaler.get_scale())


if __name__ == "__main__":
    torch.manual_seed(0)
    high = torch.rand(32, 1, 16, 16)
    low = nn.functional.avg_pool2d(high, 2)
    Solver({"lr": 1e-3, "epochs": 4, "scale": 2}).train(low, high)
