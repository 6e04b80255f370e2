import os
import torch
import torch.nn as nn
from torch.utils.data import Dataset, DataLoader

BATCH = 8


class BlobDataset(Dataset):
    def __init__(self, n, size=24):
        g = torch.Generator().manual_seed(n)
        self.img = torch.rand(n, 1, size, size, generator=g)
        self.msk = (nn.functional.avg_pool2d(self.img, 5, 1, 2) > 0.5).float()

    def __len__(self):
        return len(self.img)

    def __getitem__(self, i):
        return self.img[i], self.msk[i]


def dice_coeff(pred, target, eps=1e-6):
    inter = (pred * target).sum()
    return (2 * inter + eps) / (pred.sum() + target.sum() + eps)


def eval_net(net, loader):
    """Mean dice over the validation set"""
    net.eval()
    tot = 0.0
    with torch.no_grad():
        for imgs, true_masks in loader:
            mask_pred = torch.sigmoid(net(imgs))
            tot += dice_coeff((mask_pred > 0.5).float(), true_masks).item()
    net.train()
    return tot / len(loader)


def train_net(net, epochs=3, lr=0.02):
    train_loader = DataLoader(BlobDataset(48), batch_size=BATCH, shuffle=True)
    val_loader = DataLoader(BlobDataset(16), batch_size=BATCH)
    optimizer = torch.optim.RMSprop(net.parameters(), lr=lr / 10, weight_decay=1e-8, momentum=0.9)
    criterion = nn.BCEWithLogitsLoss()
    for epoch in range(epochs):
        for imgs, true_masks in train_loader:
            loss = criterion(net(imgs), true_masks)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print('epoch {} dice {:.4f}'.format(epoch + 1, eval_net(net, val_loader)))


if __name__ == '__main__':
    torch.manual_seed(int(os.environ.get('SEED', 4)))
    train_net(nn.Sequential(nn.Conv2d(1, 8, 5, padding=2), nn.BatchNorm2d(8), nn.ReLU(), nn.Conv2d(8, 1, 1)))
