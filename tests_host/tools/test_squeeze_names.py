"""Firmware of TFLM_OPS: private names are short there, and the code does the same."""

import ast

from tflm_host.generate.squeeze.module import Module
from tflm_host.generate.squeeze.rename import rename_private

SOURCE = """
_FIRST = 2
_told = _FIRST * 3
public = [None]


class Shop:
    _goods = 4

    def _price(self, number=1, tax=_FIRST):
        return [number * _FIRST + part for part in (tax, self._goods)]

    _price_of = _price
    price = property(_price)

    def asked(self, name="_by_text"):
        return getattr(self, name)(), self._price_of(3)

    def _by_text(self):
        return 5

    def keep(self, number):
        self._number = number
        return lambda number, more: number + more + self._number


def _sum(values, a=1, key=None):
    def inner(values):
        return [values, a]

    b = sorted(values, key=key)
    return [inner(value) for value in b], [key(value) for value in values]


def _counted(step):
    global _told
    try:
        _told += step
    except ValueError as a:
        raise a
    return _told


def _kept(_own, named=0):
    from math import floor as value

    return _own + named + value(1.5)


def run():
    shop = Shop()
    sums = _sum([3, 1], key=lambda value: -value)
    return sums, _counted(1), shop.asked(), shop.price, shop.keep(2)(3, 4), _kept(1, named=2)
"""
USER = "from .shop import Shop, _kept\n\n\ndef _counted(shop): return shop._number\n"


def renamed(**sources):
    modules = {(name,): Module(f"{name}.py", text, "box") for name, text in sources.items()}
    rename_private(modules)
    return [module.text(modules) for module in modules.values()]


def names_in(text):
    keys = ("id", "attr", "arg", "name")
    return {getattr(n, key) for n in ast.walk(ast.parse(text)) for key in keys if hasattr(n, key)}


def run(text):
    exec(text, made := {"__name__": "shop"})
    return made["run"]()


def test_private_names_are_short_and_the_module_does_the_same():
    shop, user = renamed(shop=SOURCE, user=USER)
    assert run(shop) == run(SOURCE)
    said = names_in(shop)
    gone = {"_told", "_goods", "_price", "_price_of", "_number", "_sum", "_counted"}
    assert not said & (gone | {"tax", "step"})
    # In the body of a class, in a string, imported elsewhere, private as a parameter.
    assert {"_FIRST", "_by_text", "_kept", "_own"} <= said
    assert {"named", "key"} <= said  # keywords
    assert {"name", "number", "Shop", "public", "asked", "price", "keep", "run"} <= said
    assert "_kept" in names_in(user)


def test_modules_share_short_names_and_an_attribute_has_one_in_all():
    shop, user = renamed(shop="_x = 1\n\ndef _long(): return _x\n", user=USER)
    assert {name for name in names_in(shop) if name.startswith("_")} == {"_a", "_b"}
    assert "def _a(a):" in user
    shop, user = renamed(shop=SOURCE, user=USER)
    (number,) = names_in(user) - {"_a", "_kept", "a", "shop", "Shop", "_counted", "box.shop"}
    assert f"self.{number} = number" in shop


def test_attributes_that_are_asked_of_a_module_keep_their_names():
    text = "import box.shop as s\n\ndef _ask(): return s._told\n"
    _, user = renamed(shop=SOURCE, user=text)
    assert "s._told" in user
    assert "_ask" not in user
