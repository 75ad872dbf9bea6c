"""Makes one module of several that are always imported together; see __init__.py.

A module costs a table of its names, code and names for its imports, and its own name. Modules of a
group share their names. `_Rewriter` rewrites references to other modules, such as a late import or
an attribute of a module. Then the bodies are joined. No name changes: if two modules of a group
use one name for two things, merging raises.

Each module of a group can still be imported under its own name. Exceptions are packages in INNER.
Where `merge` gets a list of modules, only these keep their names. A module then is a few
lines that take its public names from the group's module, and has its constants, which nobody else
needs. A group with the name of a package becomes the module of that package.
"""

import ast

from .known import FIRMWARE
from .module import Module, bound, defines, globals_of

# Builtins that loading calls often. MicroPython finds one that is a global of the module at once.
# For another it looks through all globals, and then in a table that it reads from the start.
HOT = ("len", "isinstance", "bytes", "range", "max", "any", "bytearray", "memoryview", "min")
WITH_HOT = (("run",), ("load",), ("file",), ("ops", "common"))
INNER = (("ops",), ("kernels",))  # packages whose modules users do not import


def merge(modules, groups, kept=None):
    """Merge in *modules*, {name: Module}, the modules of each group into one of its name.

    groups  {name of the group: names of its modules}, with spaces between
    kept    names of the modules that can still be imported; None: all outside of INNER

    A group stays as it is if *modules* lack the one with the group's name.
    """
    groups = {_name(group): _members(names, modules) for group, names in groups.items()}
    groups = {
        group: names for group, names in groups.items() if group in modules and len(names) > 1
    }
    home = {name: group for group, names in groups.items() for name in names}
    packages = {name for name, module in modules.items() if module.is_package}
    for group, names in groups.items():
        _check_names([modules[name] for name in names])
        if group in packages:
            _check_package(group, names, modules)
    for module in modules.values():
        _Rewriter(modules, module, home, packages).rewrite()
    for group, names in groups.items():
        members = [modules.pop(name) for name in names]
        for module in members:
            if module.name != group:
                alias = _split_off(module, group)
                is_kept = kept is None or ".".join(module.name) in kept
                if module.package not in INNER and is_kept:
                    modules[module.name] = alias
        path = "/".join(group) + ("/__init__.py" if group in packages else ".py")
        modules[group] = Module(path, "", members[0].root)
        bodies = [node for module in members for node in module.tree.body]
        if group in WITH_HOT:
            bodies = _with_builtins(bodies)
        modules[group].tree.body = _imports_once(bodies)


def _with_builtins(bodies):
    """Return *bodies* behind an import of the builtins in HOT that they use."""
    nodes = [node for body in bodies for node in ast.walk(body)]
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    names = [ast.alias(name) for name in HOT if name in used]
    return [ast.ImportFrom("builtins", names, 0), *bodies] if names else bodies


def _name(text):
    return tuple(text.split("."))


def _members(names, modules):
    return [name for name in map(_name, names.split()) if name in modules]


def _check_names(members):
    """Raise ValueError where two modules of a group mean different things by one name."""
    meanings = {}
    for module in members:
        for name, meaning in _meanings(module):
            if meanings.setdefault(name, meaning) != meaning:
                raise ValueError(f"{module.path} and another of its group both have {name}")


def _check_package(group, names, modules):
    """Raise ValueError where a name of the *group* is also that of a module of its package."""
    found = {name for member in names for name, _ in _meanings(modules[member])}
    found &= {name[-1] for name in modules if name[:-1] == group}
    if found:
        raise ValueError(f"{'.'.join(group)} has modules and globals called {sorted(found)}")


def _meanings(module):
    """Yield (name, what it is) of the globals of *module* that come from outside the package."""
    for name in globals_of(module.tree):
        yield name, module.path
    for node in module.tree.body:
        if isinstance(node, ast.Import) or isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                yield alias.asname or alias.name, (getattr(node, "module", ""), alias.name)


def _split_off(module, group):
    """Move the constants of *module*, merged into the module *group*, to its replacement."""
    alias = Module(module.path, "", module.root)
    names = []
    for node in list(module.tree.body):
        if defines(node, module.constants):
            module.tree.body.remove(node)
            alias.tree.body.append(node)
        elif isinstance(node, ast.ImportFrom) and node.module in FIRMWARE:
            names += [part.asname or part.name for part in node.names]
    names = {name for name in globals_of(module.tree) + names if not name.startswith("_")}
    if names:
        names = [ast.alias(name) for name in sorted(names)]
        level = len(module.package) + 1
        alias.tree.body.insert(0, ast.ImportFrom(".".join(group), names, level))
    return alias


class _Rewriter(ast.NodeTransformer):
    """Rewrites what one module says of modules of groups, as these are merged."""

    def __init__(self, modules, module, home, packages):
        self.modules, self.module, self.home, self.packages = modules, module, home, packages
        self.members = {}  # here: name of a module whose globals are globals here, too
        self.scopes = []

    def rewrite(self):
        self.module.tree = self.visit(self.module.tree)
        self.module.tree.body = with_neighbours_joined(self.module.tree.body)
        if self.module.is_package:  # its tables name modules
            for node in self.module.nodes(ast.Constant):
                if isinstance(node.value, str):
                    name = self.module.package + _name(node.value)
                    node.value = ".".join(self.home.get(name, name)[len(self.module.package) :])

    def visit_ImportFrom(self, node):
        source = self.module.source_of(node)
        if source is None:
            return node
        kept, here = [], self.home.get(self.module.name)
        for alias in node.names:
            shown, member = alias.asname or alias.name, source + (alias.name,)
            target = self.home.get(source, source)
            if member in self.modules:
                self.members[shown] = member
                if here is None or self.home.get(member) != here:
                    kept.append(self._import_module(self.home.get(member, member), shown))
            elif here is None or target != here:
                kept.append(self._import(target, [alias]))
            elif shown != alias.name:
                raise ValueError(f"{self.module.path} gives {alias.name} another name")
        return with_neighbours_joined(kept)

    def _import_module(self, module, shown):
        alias = ast.alias(module[-1], shown if shown != module[-1] else None)
        return self._import(module[:-1], [alias])

    def _import(self, module, names):
        """Return `from module import names`, as the group's module says it."""
        own = self.home.get(self.module.name, self.module.name)
        package = own if own in self.packages else own[:-1]
        common = 0
        while common < min(len(package), len(module)) and package[common] == module[common]:
            common += 1
        level = len(package) - common + 1
        return ast.ImportFrom(".".join(module[common:]) or None, names, level)

    def visit_Attribute(self, node):
        owner = getattr(node.value, "id", None)
        if owner not in self.members or any(owner in scope for scope in self.scopes):
            return self.generic_visit(node)
        here = self.home.get(self.module.name)
        if here is None or self.home.get(self.members[owner]) != here:
            return node
        if any(node.attr in scope for scope in self.scopes):
            raise ValueError(f"{self.module.path} has a variable {node.attr}, as {owner} has")
        return ast.Name(node.attr, node.ctx)

    def visit_Call(self, node):
        """Let `bring("load.loading")` import the module that has its names now."""
        self.generic_visit(node)
        if getattr(node.func, "id", "") == "bring" and isinstance(node.args[0], ast.Constant):
            name = _name(node.args[0].value)
            node.args[0].value = ".".join(self.home.get(name, name))
        return node

    def _visit_scope(self, node):
        self.scopes.append(bound(node))
        node = self.generic_visit(node)
        self.scopes.pop()
        return node

    visit_FunctionDef = visit_Lambda = visit_ListComp = _visit_scope
    visit_GeneratorExp = visit_DictComp = _visit_scope


def _imports_once(body):
    """Return *body* with its imports in front, each once."""
    imports = _joined([node for node in body if isinstance(node, (ast.Import, ast.ImportFrom))])
    rest = []
    for node in body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            continue
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            rest.append(node)
    return list(imports.values()) + rest


def with_neighbours_joined(body):
    """Return *body* with one import where several in a row take names from one module."""
    joined = []
    for node in body:
        last = joined[-1] if joined else None
        if isinstance(node, ast.ImportFrom) and isinstance(last, ast.ImportFrom):
            both = _joined([last, node])
            joined[-1:] = both.values()
        else:
            joined.append(node)
    return joined


def _joined(nodes):
    """Return the imports *nodes*, {where from: import}, each name once."""
    imports = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            imports.setdefault(ast.unparse(node), node)
            continue
        source = imports.setdefault((node.level, node.module), node)
        known = {(alias.name, alias.asname) for alias in source.names}
        new = [alias for alias in node.names if (alias.name, alias.asname) not in known]
        source.names += new if source is not node else []
    return imports
