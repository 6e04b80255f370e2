import os
import tempfile

import torch
from torch import nn


class LanguageId(nn.Module):
    def __init__(self, vocab=64, dim=12, languages=5):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab, dim)
        self.out = nn.Linear(dim, languages)

    def forward(self, ids):
        return self.out(self.bag(ids))


class Service:
    labels = ["de", "en", "es", "fr", "it"]

    def __init__(self, checkpoint, device="cpu"):
        self.device = torch.device(device)
        self.model = self._load(checkpoint)

    def _load(self, checkpoint):
        state = torch.load(checkpoint, map_location=self.device, weights_only=True)
        model = LanguageId().load_state_dict(state["model"])
        return model.to(self.device).eval()

    @staticmethod
    def encode(text):
        return torch.tensor([[ord(c) % 64 for c in text]])

    @torch.inference_mode()
    def __call__(self, text):
        scores = self.model(self.encode(text).to(self.device)).softmax(-1)[0]
        return self.labels[int(scores.argmax())]


def main():
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "langid.pt")
        torch.save({"model": LanguageId().state_dict(), "version": 1}, path)
        service = Service(path)
        for text in ("guten tag", "good morning", "buenos dias"):
            print(text, "->", service(text))


if __name__ == "__main__":
    main()
