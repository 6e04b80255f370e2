import os
import zlib

import torch

from net import SentimentGRU

CKPT = "sentiment.pt"


def encode(text, length=10):
    ids = [zlib.crc32(w.encode()) % 199 + 1 for w in text.lower().split()][:length]
    return ids + [0] * (length - len(ids))


def load_model(path):
    model = SentimentGRU()
    if not os.path.exists(path):
        torch.save(model.state_dict(), path)
    model.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))
    return model


def predict(model, texts):
    batch = torch.tensor([encode(t) for t in texts])
    with torch.no_grad():
        return torch.sigmoid(model(batch)).tolist()


if __name__ == "__main__":
    torch.manual_seed(0)
    model = load_model(CKPT)
    reviews = ["what a lovely film", "i want my money back", "not bad at all"]
    for text, score in zip(reviews, predict(model, reviews)):
        print(f"{score:.4f}  {text}")
