"""Files that go with models: .json of microWakeWord, .features, and .sample, a first input."""

from pathlib import Path

from tflm.hearing import Description
from tflm.mel import Features

from .files import InputError

SAMPLE = ".sample"  # suffix of the file beside a model that holds the bytes of its first input


def is_description(path):
    return Path(path).suffix.lower() == ".json"


def is_features(path):
    return Path(path).suffix.lower() == ".features"


def split(paths):
    """Return (models, files beside them): paths, each once; *paths* may hold all in any order.

    Each model that a description names is among the models. Raises InputError where a description
    or a file of features is wrong, or names a model that is not beside it.
    """
    beside = list(dict.fromkeys(path for path in map(Path, paths) if is_features(path)))
    for path in beside:
        try:
            Features(str(path))
        except ValueError as error:
            raise InputError(str(error)) from error
    paths = [path for path in map(Path, paths) if not is_features(path)]
    models = [path for path in map(Path, paths) if not is_description(path)]
    descriptions = list(dict.fromkeys(path for path in map(Path, paths) if is_description(path)))
    for path in descriptions:
        try:
            model = Path(Description(path).path)
        except ValueError as error:
            raise InputError(str(error)) from error
        if not model.is_file() or model.resolve().parent != path.resolve().parent:
            raise InputError(f'{path}: "model" is {model.name}, and no such file is beside it')
        if model.resolve() not in [given.resolve() for given in models]:
            models.append(model)
    return models, descriptions + beside


def companions(paths):
    """Return (models, files that go along): as split(), and the .sample beside each model."""
    models, beside = split(paths)
    samples = [path.with_suffix(SAMPLE) for path in models]
    return models, beside + [path for path in dict.fromkeys(samples) if path.is_file()]
