import torch
from torch import nn
from torch.utils.data import TensorDataset

from trainer import TrainConfig, Trainer


def load_train_objs():
    x = torch.randn(200, 12)
    y = (x[:, :3].sum(1) > 0).long()
    return TensorDataset(x, y), nn.Sequential(nn.Linear(12, 32), nn.GELU(), nn.Linear(32, 2))


if __name__ == "__main__":
    torch.manual_seed(1234)
    dataset, model = load_train_objs()
    Trainer(model, dataset, TrainConfig()).train()
