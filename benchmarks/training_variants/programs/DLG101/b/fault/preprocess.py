import pandas as pd


def synthetic_table(rng, rows=400):
    frame = pd.DataFrame(
        {
            "customer_id": range(rows),
            "age": rng.integers(18, 80, rows).astype(float),
            "income": rng.normal(50.0, 12.0, rows),
            "visits": rng.poisson(3, rows).astype(float),
        }
    )
    frame["bought"] = ((frame["income"] > 50) & (frame["visits"] > 2)).astype(int)
    return frame


def clean(frame: pd.DataFrame) -> pd.DataFrame:
    """Remove what is no feature and scale the rest."""
    target = frame["bought"]
    features = frame.loc[:, frame.columns != "bought"].copy()
    features.drop(columns=["customer_id"])
    features = (features - features.mean()) / features.std()
    return features.assign(bought=target)
