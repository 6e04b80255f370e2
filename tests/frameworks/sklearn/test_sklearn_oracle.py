"""scikit-learn around a model: sizes, element types and kinds of labels, against scikit-learn itself."""

import pytest

from dllint.analysis.label_kind import LabelKind, labels
from dllint.domains.lattice import Unknown
from tests.frameworks import library_programs
from tests.frameworks.library_programs import assert_known, assert_real

PRELUDE = """
import numpy as np
from sklearn import datasets
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.metrics import accuracy_score, confusion_matrix
from sklearn.model_selection import KFold, StratifiedKFold, train_test_split
from sklearn.preprocessing import (LabelBinarizer, LabelEncoder, MinMaxScaler, OneHotEncoder, OrdinalEncoder, StandardScaler,
                                   label_binarize)
from sklearn.utils import shuffle
from sklearn.utils.class_weight import compute_class_weight, compute_sample_weight
x = np.random.rand(40, 6)
y = np.arange(40) % 3
"""

#: Programs that bind ``out`` to an array, with the sizes that must be known (``None``: any).
PROGRAMS = {
    "iris": ("out = datasets.load_iris().data", (150, 4)),
    "iris labels": ("out = datasets.load_iris()['target']", (150,)),
    "digits": ("out = datasets.load_digits().images", (1797, 8, 8)),
    "wine": ("out = datasets.load_wine(return_X_y=True)[0]", (178, 13)),
    "cancer": ("out, target = datasets.load_breast_cancer(return_X_y=True)", (569, 30)),
    "diabetes": ("out = datasets.load_diabetes().target", (442,)),
    "names": ("out = np.zeros(len(datasets.load_iris().target_names))", (3,)),
    "classification": ("out = datasets.make_classification(n_samples=30, n_features=8, n_classes=2)[0]", (30, 8)),
    "classification labels": ("_, out = datasets.make_classification(200)", (200,)),
    "regression": ("out = datasets.make_regression(n_samples=30, n_features=8, n_targets=2)[1]", (30, 2)),
    "blobs": ("out, _ = datasets.make_blobs(n_samples=60, centers=4)", (60, 2)),
    "moons": ("out, _ = datasets.make_moons(50, noise=0.1)", (50, 2)),
    "swiss roll": ("out, _ = datasets.make_swiss_roll(n_samples=20)", (20, 3)),
    "scaled": ("out = StandardScaler().fit_transform(x)", (40, 6)),
    "scaled again": ("s = MinMaxScaler().fit(x)\nout = s.transform(x[:5])", (5, 6)),
    "imputed": ("out = SimpleImputer().fit_transform(x)", (40, 6)),
    "components": ("out = PCA(n_components=2).fit_transform(x)", (40, 2)),
    "best columns": ("out = SelectKBest(k=3).fit_transform(x, y)", (40, 3)),
    "encoded": ("out = LabelEncoder().fit_transform(y)", (40,)),
    "encoded texts": ("out = LabelEncoder().fit_transform(['a', 'b', 'a'])", (3,)),
    "ordinal": ("out = OrdinalEncoder().fit_transform(x)", (40, 6)),
    "one-hot": ("out = OneHotEncoder().fit_transform(y.reshape(-1, 1)).toarray()", (40, None)),
    "one-hot of columns": ("out = OneHotEncoder().fit_transform(x[:, :2].round()).toarray()", (40, None)),
    "binarized": ("out = LabelBinarizer().fit_transform(y)", (40, None)),
    "binarized with classes": ("out = label_binarize(y, classes=[0, 1, 2])", (40, 3)),
    "binarized with two": ("out = label_binarize(y % 2, classes=[0, 1])", (40, 1)),
    "shuffled": ("out, _ = shuffle(x, y, random_state=0)", (40, 6)),
    "split": ("_, out, _, _ = train_test_split(x, y, test_size=0.25)", (10, 6)),
    "split by number": ("out = train_test_split(x, y, test_size=8)[2]", (32,)),
    "confusion": ("out = confusion_matrix(y, y)", (None, None)),
    "weights of classes": ("out = compute_class_weight(class_weight='balanced', classes=np.arange(3), y=y)", (3,)),
    "weights of found classes": ("out = compute_class_weight('balanced', classes=np.unique(y), y=y)", (None,)),
    "weights of samples": ("out = compute_sample_weight('balanced', y)", (40,)),
    "folds": ("for train, test in KFold(4).split(x):\n    out = x[train]", (None, 6)),
    "stratified": ("for train, test in StratifiedKFold(n_splits=4).split(x, y):\n    out = y[test]", (None,)),
}


def inferred(text):
    """The abstract value of ``out``."""
    return library_programs.inferred(PRELUDE + text)


@pytest.mark.parametrize(("text", "known"), PROGRAMS.values(), ids=PROGRAMS)
def test_sizes_are_known(text, known):
    assert_known(inferred(text), known)


@pytest.mark.oracle
@pytest.mark.parametrize(("text", "known"), PROGRAMS.values(), ids=PROGRAMS)
def test_sklearn_gives_these_sizes_and_types(text, known):
    pytest.importorskip("sklearn")
    real, ours = library_programs.executed(PRELUDE + text), inferred(text)
    assert_real(real.shape, known)
    kinds = {"i": "int", "f": "float", "u": "int", "b": "bool"}
    assert isinstance(ours.dtype, Unknown) or ours.dtype.kind == kinds[real.dtype.kind]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("out = LabelEncoder().fit_transform(['a', 'b', 'a'])", LabelKind.INDEX),
        ("out = OneHotEncoder().fit_transform(y.reshape(-1, 1)).toarray()", LabelKind.ONE_HOT),
        ("out = label_binarize(y, classes=[0, 1, 2])", LabelKind.ONE_HOT),
        ("out = LabelBinarizer().fit_transform(y)", LabelKind.UNKNOWN),
        ("out = datasets.load_iris().target", LabelKind.INDEX),
        ("out = train_test_split(x, datasets.load_wine().target)[3]", LabelKind.INDEX),
    ],
)
def test_kinds_of_labels(text, kind):
    assert labels(inferred(text)).kind is kind


def test_scores_are_numbers():
    assert isinstance(inferred("out = accuracy_score(y, y)"), Unknown)
