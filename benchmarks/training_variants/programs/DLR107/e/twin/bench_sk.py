import numpy as np
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold

X, y = make_classification(n_samples=300, n_features=12, n_informative=5, weights=[0.7], flip_y=0.1, random_state=0)
np.random.seed(0)

models = {
    "forest": RandomForestClassifier(n_estimators=60, max_depth=4, min_samples_leaf=3, max_features=5, random_state=0),
    "logreg": LogisticRegression(C=0.1, max_iter=500),
}

folds = StratifiedKFold(n_splits=3, shuffle=True, random_state=1)
for name, model in models.items():
    scores = []
    for train_idx, test_idx in folds.split(X, y):
        model.fit(X[train_idx], y[train_idx])
        scores.append(f1_score(y[test_idx], model.predict(X[test_idx])))
    print("%-8s %.4f +- %.4f" % (name, np.mean(scores), np.std(scores)))
