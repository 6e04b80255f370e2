import torch
import torch.nn as nn

torch.manual_seed(17)
VOCAB, LENGTH = 15, 6


class ImageEncoder(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, stride=2)
        self.fc = nn.Linear(8, dim)

    def forward(self, image):
        return self.fc(torch.relu(self.conv(image)).mean((2, 3)))


class CaptionDecoder(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, dim)
        self.lstm = nn.LSTM(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, VOCAB)

    def forward(self, context, words):
        state = (context.unsqueeze(0), torch.zeros_like(context).unsqueeze(0))
        hidden, _ = self.lstm(self.embed(words), state)
        return self.out(hidden)


encoder = ImageEncoder()
decoder = CaptionDecoder()
params = list(encoder.parameters())
optimizer = torch.optim.Adam(params, lr=3e-3)
criterion = nn.CrossEntropyLoss()

images = torch.rand(32, 3, 12, 12)
captions = torch.randint(0, VOCAB, (32, LENGTH))
start = decoder.out.weight.detach().clone()

for epoch in range(15):
    logits = decoder(encoder(images), captions[:, :-1])
    loss = criterion(logits.transpose(1, 2), captions[:, 1:])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("loss %.4f, decoder changed: %s" % (loss.item(), not torch.equal(start, decoder.out.weight)))
