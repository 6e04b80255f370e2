import argparse

import numpy as np
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC


def candidates():
    return {
        "boosting": GradientBoostingClassifier(random_state=0),
        "svm": make_pipeline(StandardScaler(), SVC()),
    }


def cross_validate(model, x, y, folds):
    scores = []
    for train, test in StratifiedKFold(folds, shuffle=True, random_state=0).split(x, y):
        model.fit(x[train], y[train])
        scores.append(f1_score(y[test], model.predict(x[test]), average="macro"))
    return np.mean(scores), np.std(scores)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folds", type=int, default=3)
    args = parser.parse_args()
    rng = np.random.default_rng(0)
    x = rng.normal(size=(150, 8))
    y = (x[:, 0] ** 2 + x[:, 1] > 0.8).astype(int)
    for name, model in candidates().items():
        mean, deviation = cross_validate(model, x, y, args.folds)
        print(f"{name:10s} {mean:.3f} +- {deviation:.3f}")


if __name__ == "__main__":
    main()
