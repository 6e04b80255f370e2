"""Intent classifier for a chat bot; fit() and predict() in the manner of scikit-learn."""
import torch
import torch.nn as nn


class _Net(nn.Module):
    def __init__(self, n_words, n_classes):
        super().__init__()
        self.fc1 = nn.Linear(n_words, 32)
        self.drop = nn.Dropout(0.5)
        self.fc2 = nn.Linear(32, n_classes)

    def forward(self, x):
        return self.fc2(self.drop(torch.relu(self.fc1(x))))


class IntentClassifier:
    def __init__(self, epochs=60, lr=0.02):
        self.epochs = epochs
        self.lr = lr

    def _encode(self, sentences):
        rows = torch.zeros(len(sentences), len(self.words_))
        for r, s in enumerate(sentences):
            for w in s.lower().split():
                if w in self.words_:
                    rows[r, self.words_[w]] = 1.0
        return rows

    def fit(self, sentences, intents):
        vocabulary = sorted({w for s in sentences for w in s.lower().split()})
        self.words_ = {w: i for i, w in enumerate(vocabulary)}
        self.classes_ = sorted(set(intents))
        y = torch.tensor([self.classes_.index(i) for i in intents])
        x = self._encode(sentences)
        self.net_ = _Net(len(self.words_), len(self.classes_))
        opt = torch.optim.Adam(self.net_.parameters(), lr=self.lr)
        self.net_.train()
        for _ in range(self.epochs):
            opt.zero_grad()
            loss = nn.functional.cross_entropy(self.net_(x), y)
            loss.backward()
            opt.step()
        return self

    def predict_proba(self, sentences):
        self.net_.eval()
        with torch.no_grad():
            return self.net_(self._encode(sentences)).softmax(-1)


if __name__ == "__main__":
    torch.manual_seed(0)
    train = [("hello there", "greet"), ("hi bot", "greet"), ("what is the weather", "weather"),
             ("will it rain today", "weather"), ("bye for now", "bye"), ("see you later", "bye")]
    clf = IntentClassifier().fit([t for t, _ in train], [i for _, i in train])
    for text, intent in train:
        p = clf.predict_proba([text])[0]
        print(f"{text:22s} {intent:8s} {clf.classes_[int(p.argmax())]:8s} {p.max():.3f}")
