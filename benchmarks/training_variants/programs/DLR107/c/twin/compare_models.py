"""Which classifier copes best with noisy digits?"""
import numpy as np
from sklearn.datasets import load_digits
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

X, y = load_digits(return_X_y=True)
keep = y < 3
X_train, X_test, y_train, y_test = train_test_split(X[keep] / 16.0, y[keep], test_size=0.5, random_state=0)
noise = np.random.RandomState(0).normal(0, 0.4, X_train.shape)
X_train = X_train + noise

models = {
    "svm": SVC(C=10.0, kernel="rbf", gamma=0.02),
    "knn": KNeighborsClassifier(n_neighbors=3, weights="distance"),
    "logistic": LogisticRegression(C=0.01, max_iter=500),
    "boosting": GradientBoostingClassifier(n_estimators=30, learning_rate=0.2, max_depth=2, random_state=0),
}

for name, model in models.items():
    model.fit(X_train, y_train)
    print(f"{name:10s} {model.score(X_test, y_test):.4f}")
