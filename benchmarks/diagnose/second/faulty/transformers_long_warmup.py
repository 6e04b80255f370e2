"""Classify the intent of short requests with a tiny BERT that is trained from scratch."""

import argparse
import random
import tempfile

import numpy as np
import torch
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments, set_seed

INTENTS = {
    "weather": ["rain", "sunny", "forecast", "cold", "umbrella", "storm"],
    "music": ["song", "album", "volume", "singer", "guitar", "playlist"],
    "travel": ["train", "ticket", "hotel", "flight", "luggage", "border"],
    "money": ["price", "loan", "bank", "invoice", "salary", "tax"],
}
FILLERS = "please can you tell me the a is my for today and i want some about with".split()
WORDS = ["[PAD]", "[CLS]", "[SEP]", *FILLERS, *(word for words in INTENTS.values() for word in words)]
INDEX = {word: number for number, word in enumerate(WORDS)}
LENGTH = 16


def request(rng):
    label = rng.randrange(len(INTENTS))
    topic = list(INTENTS.values())[label]
    words = rng.choices(FILLERS, k=rng.randint(4, 10))
    for _ in range(2):
        words.insert(rng.randrange(len(words)), rng.choice(topic))
    return words, label


def encode(words, label):
    tokens = [INDEX["[CLS]"], *(INDEX[word] for word in words), INDEX["[SEP]"]]
    padding = LENGTH - len(tokens)
    return {
        "input_ids": torch.tensor(tokens + [0] * padding),
        "attention_mask": torch.tensor([1] * len(tokens) + [0] * padding),
        "labels": label,
    }


def requests(count, seed):
    rng = random.Random(seed)
    return [encode(*request(rng)) for _ in range(count)]


def compute_metrics(prediction):
    return {"accuracy": float(np.mean(prediction.predictions.argmax(-1) == prediction.label_ids))}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=float, default=3)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--warmup-steps", type=int, default=5000)
    parser.add_argument("--weight-decay", type=float, default=0.01)
    args = parser.parse_args()
    set_seed(args.seed)
    config = BertConfig(
        vocab_size=len(WORDS),
        hidden_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=96,
        max_position_embeddings=LENGTH,
        num_labels=len(INTENTS),
    )
    model = BertForSequenceClassification(config)
    with tempfile.TemporaryDirectory() as folder:
        settings = TrainingArguments(
            output_dir=folder,
            seed=args.seed,
            num_train_epochs=args.epochs,
            per_device_train_batch_size=args.batch_size,
            per_device_eval_batch_size=100,
            learning_rate=args.learning_rate,
            warmup_steps=args.warmup_steps,
            weight_decay=args.weight_decay,
            eval_strategy="epoch",
            save_strategy="no",
            logging_strategy="epoch",
            report_to="none",
            disable_tqdm=True,
            use_cpu=True,
        )
        trainer = Trainer(
            model=model,
            args=settings,
            train_dataset=requests(1200, 1),
            eval_dataset=requests(300, 2),
            compute_metrics=compute_metrics,
        )
        trainer.train()
        metrics = trainer.evaluate()
    print(f"final loss {metrics['eval_loss']:.4f}, accuracy {metrics['eval_accuracy']:.3f}")


if __name__ == "__main__":
    main()
