"""Two-file project: the model lives in nets.py; this script trains and writes embeddings for retrieval."""
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from nets import EmbeddingNet


def catalogue(n, seed):
    gen = torch.Generator().manual_seed(seed)
    y = torch.randint(0, 8, (n,), generator=gen)
    prototypes = torch.randn(8, 30, generator=torch.Generator().manual_seed(0))
    return TensorDataset(prototypes[y] + 0.7 * torch.randn(n, 30, generator=gen), y)


def train(net, classifier, loader, epochs):
    params = [*net.parameters(), *classifier.parameters()]
    opt = torch.optim.AdamW(params, lr=2e-3, weight_decay=1e-3)
    net.train()
    for _ in range(epochs):
        for x, y in loader:
            opt.zero_grad()
            nn.functional.cross_entropy(classifier(net(x)), y).backward()
            opt.step()
    return net


def export_embeddings(net, dataset, path):
    vectors = []
    net.eval()
    with torch.no_grad():
        for x, _ in DataLoader(dataset, batch_size=64):
            vectors.append(net(x))
    matrix = torch.cat(vectors).numpy()
    np.save(path, matrix)
    return matrix


def main():
    torch.manual_seed(16)
    net = train(
        EmbeddingNet(30, 12), nn.Linear(12, 8), DataLoader(catalogue(800, 1), batch_size=32, shuffle=True), epochs=4
    )
    gallery = catalogue(200, 2)
    first = export_embeddings(net, gallery, "gallery.npy")
    again = export_embeddings(net, gallery, "gallery_again.npy")
    print("largest difference of two exports", round(float(np.abs(first - again).max()), 4))


if __name__ == "__main__":
    main()
