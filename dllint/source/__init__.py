"""From text to tree: documents, exact places, suppression comments, the files of a workspace."""
