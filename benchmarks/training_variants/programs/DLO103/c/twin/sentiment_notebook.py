# %% [markdown]
# Sentiment of short reviews, bag of embeddings

# %%
import torch
import torch.nn as nn

torch.manual_seed(3)
good = ["great film", "loved it", "a great story", "really loved the cast", "fine and funny"]
bad = ["awful film", "hated it", "a dull story", "really hated the cast", "dull and slow"]
texts = good + bad
labels = torch.tensor([1.0] * len(good) + [0.0] * len(bad))

# %%
vocab = {w: i for i, w in enumerate(sorted({w for t in texts for w in t.split()}))}
flat, offsets = [], []
for t in texts:
    offsets.append(len(flat))
    flat.extend(vocab[w] for w in t.split())
flat, offsets = torch.tensor(flat), torch.tensor(offsets)

# %%
emb = nn.EmbeddingBag(len(vocab), 8, mode="mean")
clf = nn.Linear(8, 1)
optimizer = torch.optim.Adam([*emb.parameters(), *clf.parameters()], lr=0.05)
loss_fn = nn.BCEWithLogitsLoss()

# %%
for epoch in range(30):
    optimizer.zero_grad()
    scores = clf(emb(flat, offsets)).squeeze(1)
    loss = loss_fn(scores, labels)
    loss.backward()
    optimizer.step()
    if epoch % 10 == 9:
        print(f"{epoch + 1:3d} {loss.item():.4f}")

# %%
with torch.no_grad():
    pred = (clf(emb(flat, offsets)).squeeze(1) > 0).float()
print("train accuracy", (pred == labels).float().mean().item())
