"""Judge pairs of sentences (entailment, neutral, contradiction) with a tiny BERT; own batching."""

import argparse
import random
import tempfile

import numpy as np
import torch
from torch.nn.utils.rnn import pad_sequence
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments, set_seed

PAD, CLS, SEP = 0, 1, 2
NOUNS, PLACES, ANIMATE = 30, 10, 40
FIRST = 3
VOCABULARY = FIRST + NOUNS + PLACES + ANIMATE + 1


def pair(rng):
    """A fact about a thing at a place, and a second one that repeats it, moves it or speaks of another."""
    label = rng.randrange(3)
    extra = [FIRST + NOUNS + PLACES + rng.randrange(ANIMATE) for _ in range(rng.randint(1, 6))]
    noun = FIRST + rng.randrange(NOUNS)
    place = rng.randrange(PLACES)
    premise = [noun, FIRST + NOUNS + place, *extra]
    hypothesis = [noun, FIRST + NOUNS + place]
    if label == 1:
        hypothesis = [FIRST + NOUNS + PLACES + rng.randrange(ANIMATE), VOCABULARY - 1]
    if label == 2:
        hypothesis = [VOCABULARY - 1, FIRST + NOUNS + (place + rng.randrange(1, PLACES)) % PLACES]
    return [CLS, *premise, SEP], [*hypothesis, SEP], label


def pairs(count, seed):
    rng = random.Random(seed)
    return [pair(rng) for _ in range(count)]


class PairCollator:
    def __init__(self, pad=PAD):
        self.pad = pad

    def __call__(self, rows):
        ids = pad_sequence([torch.tensor(a + b) for a, b, _ in rows], batch_first=True, padding_value=self.pad)
        types = pad_sequence([torch.tensor([0] * len(a) + [1] * len(b)) for a, b, _ in rows], batch_first=True)
        return {
            "input_ids": ids,
            "token_type_ids": types,
            "attention_mask": self.mask(ids),
            "labels": torch.tensor([label for _, _, label in rows]),
        }

    def mask(self, ids):
        return ids.ne(self.pad).long()


def build_model():
    config = BertConfig(
        vocab_size=VOCABULARY,
        hidden_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=96,
        max_position_embeddings=24,
        num_labels=3,
        hidden_dropout_prob=0.05,
        attention_probs_dropout_prob=0.0,
    )
    return BertForSequenceClassification(config)


def accuracy(prediction):
    return {"accuracy": float(np.mean(prediction.predictions.argmax(-1) == prediction.label_ids))}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=float, default=5)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--learning-rate", type=float, default=1.5e-3)
    args = parser.parse_args()
    set_seed(args.seed)
    with tempfile.TemporaryDirectory() as folder:
        settings = TrainingArguments(
            output_dir=folder,
            seed=args.seed,
            num_train_epochs=args.epochs,
            per_device_train_batch_size=args.batch_size,
            per_device_eval_batch_size=100,
            learning_rate=args.learning_rate,
            warmup_steps=20,
            eval_strategy="epoch",
            logging_strategy="epoch",
            save_strategy="no",
            report_to="none",
            disable_tqdm=True,
            remove_unused_columns=False,
            use_cpu=True,
        )
        trainer = Trainer(
            model=build_model(),
            args=settings,
            train_dataset=pairs(1500, 1),
            eval_dataset=pairs(300, 2),
            data_collator=PairCollator(),
            compute_metrics=accuracy,
        )
        trainer.train()
        metrics = trainer.evaluate()
    print(f"final loss {metrics['eval_loss']:.4f}, accuracy {metrics['eval_accuracy']:.3f}")


if __name__ == "__main__":
    main()
