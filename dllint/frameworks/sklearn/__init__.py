"""What the scikit-learn names used beside models mean: splitting and scaling."""
