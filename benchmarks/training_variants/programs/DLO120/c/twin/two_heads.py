import torch
from torch import nn


class DepthAndNormals(nn.Module):
    def __init__(self, ch=8):
        super().__init__()
        self.shared = nn.Sequential(nn.Conv2d(3, ch, 3, padding=1), nn.ReLU(), nn.Conv2d(ch, ch, 3, padding=1), nn.ReLU())
        self.depth = nn.Conv2d(ch, 1, 1)
        self.normals = nn.Conv2d(ch, 3, 1)

    def forward(self, x):
        z = self.shared(x)
        return self.depth(z), nn.functional.normalize(self.normals(z), dim=1)


class MultiTaskTrainer:
    def __init__(self, model, rate):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=rate)

    def step(self, image, depth, normals):
        d, n = self.model(image)
        depth_loss = (d - depth).abs().mean()
        normal_loss = (1 - (n * normals).sum(1)).mean()
        self.optimizer.zero_grad()
        (depth_loss + normal_loss).backward()
        self.optimizer.step()
        return depth_loss.item(), normal_loss.item()


def scene(batch=4, size=10):
    image = torch.rand(batch, 3, size, size)
    return image, image.mean(1, keepdim=True), nn.functional.normalize(image - 0.5, dim=1)


if __name__ == "__main__":
    torch.manual_seed(14)
    trainer = MultiTaskTrainer(DepthAndNormals(), 1e-2)
    for it in range(10):
        d, n = trainer.step(*scene())
    print("depth %.4f normals %.4f" % (d, n))
