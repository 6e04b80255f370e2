import torch
from torch import nn


class Captioner(nn.Module):
    def __init__(self, vocab=30, dim=32):
        super().__init__()
        self.cnn = nn.Sequential(nn.Conv2d(3, dim, 4, 4), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.emb = nn.Embedding(vocab, dim)
        self.gru = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, vocab)

    def forward(self, img, words):
        h = self.cnn(img).unsqueeze(0)
        return self.out(self.gru(self.emb(words), h)[0])

    def sample(self, img, max_len=6):
        h, word = self.cnn(img).unsqueeze(0), torch.zeros(len(img), 1, dtype=torch.long, device=img.device)
        caption = []
        for _ in range(max_len):
            o, h = self.gru(self.emb(word), h)
            word = self.out(o).argmax(-1)
            caption.append(word)
        return torch.cat(caption, 1)


torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = Captioner().to(device)
model = nn.DataParallel(model)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

imgs = torch.rand(24, 3, 16, 16)
words = torch.randint(1, 30, (24, 7))
for epoch in range(2):
    model.train()
    for i in range(0, 24, 8):
        img, cap = imgs[i:i + 8].to(device), words[i:i + 8].to(device)
        logits = model(img, cap[:, :-1])
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), cap[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        print(epoch, model.module.sample(imgs[:1].to(device)).tolist())
