import numpy as np
import torch
import torch.nn as nn

torch.manual_seed(0)
words = ["king", "queen", "man", "woman", "boy", "girl", "prince", "princess"]
pairs = [(i, j) for i in range(len(words)) for j in range(len(words)) if abs(i - j) == 1]


class SkipGram(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.center = nn.Embedding(vocab, dim)
        self.context = nn.Embedding(vocab, dim)

    def forward(self, idx):
        return self.center(idx) @ self.context.weight.T


model = SkipGram(len(words), 6)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
center = torch.tensor([a for a, _ in pairs])
context = torch.tensor([b for _, b in pairs])
for epoch in range(60):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(center), context)
    loss.backward()
    optimizer.step()
print("loss %.4f" % loss.item())

vectors = model.center.weight.detach().numpy()
vectors = vectors - vectors.mean(axis=0)
_, _, directions = np.linalg.svd(vectors, full_matrices=False)
flat = vectors @ directions[:2].T
for word, (x, y) in zip(words, flat):
    print(f"{word:10s} {x:6.2f} {y:6.2f}")
