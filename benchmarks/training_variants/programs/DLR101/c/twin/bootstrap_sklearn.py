"""Feature importance of a random forest with bootstrap intervals."""
import numpy as np
from sklearn.datasets import load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import f1_score
from sklearn.model_selection import train_test_split


def intervals(values, level=0.9):
    lo = (1 - level) / 2
    return np.quantile(values, [lo, 1 - lo])


def evaluate(model, x, y, rounds=20):
    scores = []
    for _ in range(rounds):
        rows = np.random.randint(0, len(y), len(y))
        scores.append(f1_score(y[rows], model.predict(x[rows]), average="macro"))
    return intervals(scores)


def main():
    np.random.seed(0)
    x, y = load_wine(return_X_y=True)
    x = x + np.random.randn(*x.shape) * x.std(axis=0)
    x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.4, stratify=y)
    forest = RandomForestClassifier(n_estimators=25, max_depth=3)
    forest.fit(x_train, y_train)
    top = np.argsort(forest.feature_importances_)[::-1][:3]
    print("most important:", top, np.round(forest.feature_importances_[top], 5))
    print("macro F1 between %.5f and %.5f" % tuple(evaluate(forest, x_test, y_test)))


if __name__ == "__main__":
    main()
