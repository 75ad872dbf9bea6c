"""Gives private names the shortest names that all modules share; see __init__.py.

Only firmware of TFLM_OPS, which is for small flash, is renamed. A name there costs its letters and
eight bytes, and two more in each module that says it.

- Functions and variables of a module whose names begin with "_": `_a`, `_b`, ... in each module.
- Attributes and methods whose names begin with "_": `_a`, `_b`, ... in the whole package.
- Parameters of private functions, of lambdas and of the functions in `ops`: `a`, `b`, ... in each
  function.

A name stays where others say it: a string, bytes or a keyword of the package, another module that
imports it, or `_tflm`.
"""

import ast
import re
from itertools import count, product
from string import ascii_letters

KEPT = {"_check_buffer", "_tflm"}  # names that C looks up
PRIVATE = re.compile(r"_[A-Za-z]\w*$")
WORD = re.compile(r"\w+")


def rename_private(modules):
    """Rename the private names of *modules*, {name: Module}, which are merged already."""
    said = {name: _Said(module.tree) for name, module in modules.items()}
    fixed = KEPT.union(*[one.fixed for one in said.values()])
    attributes = _renamed(set().union(*[one.attributes for one in said.values()]), fixed)
    for name, module in modules.items():
        tree, one = module.tree, said[name]
        _Renamer(_renamed(one.defined, fixed | one.kept), attributes).visit(tree)
        _Parameters(fixed, module.package == ("ops",)).visit(tree)


def _short(start):
    """Yield names that begin with *start*: of one letter, then of two."""
    for length in count(1):
        for letters in product(ascii_letters, repeat=length):
            yield start + "".join(letters)


def _renamed(names, fixed):
    """Return {name: its short name} of *names*, except *fixed*."""
    free = (short for short in _short("_") if short not in fixed)
    return dict(zip(sorted(names - fixed), free, strict=False))


def _is_private(name):
    return bool(PRIVATE.match(name))


def _private(names):
    return set(filter(_is_private, names))


class _Said:
    """The names that a module says, by their use in renaming. Only `fixed` has public ones.

    defined  globals of the module itself, imports aside
    attributes  of objects, and variables and methods of classes
    kept  variables that no global may be called, and globals that must stay. A name that the body
          of a class says stays: a short one may be that of a method there
    fixed  names that are said elsewhere than where renaming looks
    """

    def __init__(self, tree):
        defined = _defined(tree)
        attributes, variables, in_classes, fixed = set(), set(), set(), set()
        modules, asked = set(), []  # names of imports; (variable or None, its attribute)
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                variables.add(node.id)
            elif isinstance(node, ast.Attribute):
                asked.append((getattr(node.value, "id", None), node.attr))
            elif isinstance(node, ast.ClassDef):
                attributes |= _defined(node)
                in_classes |= _said_in_body(node)
            elif isinstance(node, ast.Constant):
                fixed |= _words(node.value)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                modules |= {alias.asname or alias.name for alias in node.names}
            elif isinstance(node, ast.keyword):
                fixed |= {node.arg} - {None}  # None of **
            elif isinstance(node, ast.arg):
                fixed |= _private({node.arg})
        self.defined = _private(defined)
        self.attributes = _private(attributes.union(attr for _, attr in asked))
        self.kept = _private((variables - defined) | in_classes)
        self.fixed = fixed | modules | {attr for name, attr in asked if name in modules}


def _words(value):
    """Return the words in a constant's *value*, if it is a text or bytes."""
    text = value.decode("latin1") if isinstance(value, bytes) else value
    return set(WORD.findall(text)) if isinstance(text, str) else set()


def _defined(node):
    """Return the names that a module or class defines itself, imports aside."""
    names = set()
    for part in node.body:
        if isinstance(part, (ast.FunctionDef, ast.ClassDef)):
            names.add(part.name)
        elif isinstance(part, ast.Assign):
            targets = [name for target in part.targets for name in ast.walk(target)]
            names |= {name.id for name in targets if isinstance(name, ast.Name)}
    return names


def _said_in_body(node):
    """Return the variables that the body of class *node* says itself."""
    parts = [part for statement in node.body for part in _outside(statement)]
    return {part.id for part in parts if isinstance(part, ast.Name)}


def _outside(node):
    """Yield the nodes of a statement that run where it stands: of a function, not its body."""
    if isinstance(node, ast.FunctionDef):
        for part in (node.args, *node.decorator_list):
            yield from ast.walk(part)
    else:
        yield from ast.walk(node)


class _Renamer(ast.NodeTransformer):
    """Renames the globals of a module, and attributes."""

    def __init__(self, names, attributes):
        self.names, self.attributes = names, attributes

    def visit_Name(self, node):
        node.id = self.names.get(node.id, node.id)
        return node

    def visit_Global(self, node):
        node.names = [self.names.get(name, name) for name in node.names]
        return node

    def visit_Attribute(self, node):
        node.attr = self.attributes.get(node.attr, node.attr)
        return self.generic_visit(node)

    def visit_FunctionDef(self, node):
        node.name = self.names.get(node.name, node.name)
        return self.generic_visit(node)

    def visit_ClassDef(self, node):
        """Names that the body of a class defines are attributes there, but not in methods."""
        own = {name: self.attributes.get(name, name) for name in _defined(node)}
        node.name = self.names.get(node.name, node.name)
        node.bases = [self.visit(base) for base in node.bases]
        inner = _Renamer({**self.names, **own}, self.attributes)
        for part in node.body:
            if isinstance(part, ast.FunctionDef):
                part.name = own.get(part.name, part.name)
                part.decorator_list = [inner.visit(one) for one in part.decorator_list]
                part.args = inner.visit(part.args)
                part.body = [self.visit(one) for one in part.body]
            else:
                inner.visit(part)
        return node


class _Parameters(ast.NodeTransformer):
    """Renames the parameters of lambdas and of functions: all, or private ones."""

    def __init__(self, fixed, of_all):
        self.fixed, self.of_all = fixed, of_all

    def visit_Lambda(self, node):
        self.generic_visit(node)
        self._rename(node)
        return node

    def visit_FunctionDef(self, node):
        self.generic_visit(node)
        if self.of_all or _is_private(node.name):
            self._rename(node)
        return node

    def _rename(self, node):
        plain = [arg for arg in node.args.args if arg.arg != "self" and len(arg.arg) > 1]
        used, others = _names_within(node)
        old = [arg.arg for arg in plain if arg.arg not in self.fixed | others]
        free = (name for name in _short("") if name not in used | others)
        new = dict(zip(old, free, strict=False))
        for arg in plain:
            arg.arg = new.get(arg.arg, arg.arg)
        for body in node.body if isinstance(node.body, list) else [node.body]:
            for part in ast.walk(body):
                if isinstance(part, ast.Name):
                    part.id = new.get(part.id, part.id)


def _names_within(node):
    """Return two sets of names in the function *node*: all, and those bound by other means.

    These are functions within it, imports and so on, not its own parameters.
    """
    said, bound = {arg.arg for arg in node.args.args}, set()
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            said.add(part.id)
        elif isinstance(part, ast.FunctionDef):
            said.add(part.name)
        elif isinstance(part, ast.arg) and part not in node.args.args:
            bound.add(part.arg)
        elif isinstance(part, ast.alias):
            bound.add(part.asname or part.name)
        elif isinstance(part, ast.ExceptHandler) and part.name:
            bound.add(part.name)
        elif isinstance(part, (ast.Nonlocal, ast.Global)):
            bound |= set(part.names)
    return said, bound
