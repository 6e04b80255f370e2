import torch


class CheckpointManager:
    def __init__(self, path):
        self.path = path

    def save(self, model, optimizer, epoch):
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, self.path)

    def load(self):
        return torch.load(self.path, map_location="cpu")
