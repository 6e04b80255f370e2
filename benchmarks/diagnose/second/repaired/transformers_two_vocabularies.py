"""Sort support tickets by department with a tiny DistilBERT and a vocabulary of its own."""

import argparse
import random
import tempfile

import numpy as np
import torch
from transformers import DistilBertConfig, DistilBertForSequenceClassification, Trainer, TrainingArguments, set_seed

DEPARTMENTS = {
    "billing": "invoice refund charge card payment receipt discount".split(),
    "network": "router cable signal wifi outage latency modem".split(),
    "devices": "screen battery keyboard printer charger mouse speaker".split(),
    "access": "password login account locked token badge permission".split(),
}
COMMON = "hello my the is not please since yesterday it again does help a with today working and we need".split()


def ticket(rng):
    label = rng.randrange(len(DEPARTMENTS))
    own = list(DEPARTMENTS.values())[label]
    words = rng.choices(COMMON, k=rng.randint(5, 10)) + rng.choices(own, k=2)
    rng.shuffle(words)
    return words, label


def tickets(count, seed):
    rng = random.Random(seed)
    return [ticket(rng) for _ in range(count)]


class WordTokenizer:
    def __init__(self, rows):
        self.index = {"[PAD]": 0, "[CLS]": 1, "[UNK]": 2}
        for words, _ in rows:
            for word in words:
                self.index.setdefault(word, len(self.index))

    def __len__(self):
        return len(self.index)

    def encode(self, words, length):
        ids = [1, *(self.index.get(word, 2) for word in words)][:length]
        mask = [1] * len(ids)
        return torch.tensor(ids + [0] * (length - len(ids))), torch.tensor(mask + [0] * (length - len(mask)))


class TicketSet(torch.utils.data.Dataset):
    def __init__(self, rows, length=14, tokenizer=None):
        self.rows, self.length = rows, length
        self.tokenizer = tokenizer or WordTokenizer(rows)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, number):
        words, label = self.rows[number]
        ids, mask = self.tokenizer.encode(words, self.length)
        return {"input_ids": ids, "attention_mask": mask, "labels": label}


def build_model(words):
    config = DistilBertConfig(
        vocab_size=words + 10,
        dim=48,
        hidden_dim=96,
        n_layers=2,
        n_heads=4,
        max_position_embeddings=16,
        num_labels=len(DEPARTMENTS),
        dropout=0.05,
    )
    return DistilBertForSequenceClassification(config)


def metrics_of(prediction):
    return {"accuracy": float(np.mean(prediction.predictions.argmax(-1) == prediction.label_ids))}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=float, default=4)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    args = parser.parse_args()
    set_seed(args.seed)
    train_set = TicketSet(tickets(1200, 1))
    eval_set = TicketSet(tickets(300, 2), tokenizer=train_set.tokenizer)
    with tempfile.TemporaryDirectory() as folder:
        settings = TrainingArguments(
            output_dir=folder,
            seed=args.seed,
            num_train_epochs=args.epochs,
            per_device_train_batch_size=args.batch_size,
            per_device_eval_batch_size=100,
            learning_rate=args.learning_rate,
            lr_scheduler_type="linear",
            warmup_steps=15,
            eval_strategy="epoch",
            logging_strategy="epoch",
            save_strategy="no",
            report_to="none",
            disable_tqdm=True,
            use_cpu=True,
        )
        trainer = Trainer(
            model=build_model(len(train_set.tokenizer)),
            args=settings,
            train_dataset=train_set,
            eval_dataset=eval_set,
            compute_metrics=metrics_of,
        )
        trainer.train()
        scores = trainer.evaluate()
    print(f"final eval loss {scores['eval_loss']:.4f}, eval accuracy {scores['eval_accuracy']:.3f}")


if __name__ == "__main__":
    main()
