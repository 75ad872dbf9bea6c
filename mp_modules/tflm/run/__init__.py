"""Running a model: its graph, its tensors, a snapshot of a prepared model."""
