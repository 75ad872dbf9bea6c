"""The .json files of microWakeWord, which lie beside the models that they name."""

from pathlib import Path

from tflm.hearing import Description

from .files import InputError


def is_description(path):
    return Path(path).suffix.lower() == ".json"


def split(paths):
    """Return (models, descriptions): paths, each once; *paths* may hold both in any order.

    Each model that a description names is among the models. Raises InputError where a description
    is wrong, or names a model that is not beside it.
    """
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
    return models, descriptions
