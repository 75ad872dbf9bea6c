"""Makes one module of several that are always imported together; see __init__.py.

A module costs a table of its names, code and names for what it imports, and its own name. In a
group, what one module imports from another is simply there. `_Rewriter` rewrites what a module
says of others, as a late import or an attribute of a module; then the bodies are joined.
"""

import ast

from .module import SCOPES, Module, bound, globals_of


def merge(modules, groups):
    """Merge in *modules*, {name: Module}, the modules of each group into one of its name.

    groups  {name of the group: names of its modules}, with spaces between
    """
    groups = {_name(group): _members(names, modules) for group, names in groups.items()}
    home = {name: group for group, names in groups.items() for name in names}
    final = _final_names(modules, groups.values())
    for module in modules.values():
        _Rewriter(modules, module, home, final).rewrite()
    for group, names in groups.items():
        body = [node for name in names for node in modules.pop(name).tree.body]
        if body:
            modules[group] = Module("/".join(group) + ".py", "")
            modules[group].tree.body = _imports_once(body)


def _name(text):
    return tuple(text.split("."))


def _members(names, modules):
    return [name for name in map(_name, names.split()) if name in modules]


def _final_names(modules, groups):
    """Return {(module, global): name} of what is to have another name in its group.

    That is what two modules define, and what has the name of a local variable of another module.
    """
    final = {}
    for group in groups:
        taken = set()
        for name in group:
            tree = modules[name].tree
            others = [modules[other].tree for other in group if other != name]
            hidden = set().union(*[_locals(tree) for tree in others])
            for own in globals_of(tree):
                if own in taken or own in hidden:
                    final[name, own] = f"_{own.lstrip('_')}_{name[-1]}"
                taken.add(own)
    return final


def _locals(tree):
    scopes = [node for node in ast.walk(tree) if isinstance(node, SCOPES)]
    return set().union(*[bound(scope) for scope in scopes])


class _Rewriter(ast.NodeTransformer):
    """Rewrites what one module says of modules of groups, as these are merged."""

    def __init__(self, modules, module, home, final):
        self.modules, self.module, self.home, self.final = modules, module, home, final
        own = [name for name in globals_of(module.tree) if (module.name, name) in final]
        self.renamed = {name: final[module.name, name] for name in own}
        self.members = {}  # here: name of a module whose globals are globals here, too
        self.scopes = []

    def rewrite(self):
        self.module.tree = self.visit(self.module.tree)
        if self.module.is_package:  # its tables name modules
            for node in self.module.nodes(ast.Constant):
                name = self.module.package + (node.value,)
                node.value = self.home.get(name, name)[-1]

    def name_in(self, module, name):
        return self.final.get((module, name), name)

    def visit_ImportFrom(self, node):
        source = self.module.source_of(node)
        if source is None:
            return node
        kept, here = [], self.home.get(self.module.name)
        for alias in node.names:
            shown, member = alias.asname or alias.name, source + (alias.name,)
            if member in self.modules:
                self.members[shown] = member
                if here is None or self.home.get(member) != here:
                    kept.append(self._import_module(self.home.get(member, member), shown))
                continue
            target = self.home.get(source, source)
            name = self.name_in(source, alias.name)
            if name != shown:
                self.renamed[shown] = name
            if here is None or target != here:
                kept.append(self._import(target, [ast.alias(name)]))
        return kept

    def _import_module(self, module, shown):
        alias = ast.alias(module[-1], shown if shown != module[-1] else None)
        return self._import(module[:-1], [alias])

    def _import(self, module, names):
        """Return `from module import names`, as the group's module says it."""
        own = self.home.get(self.module.name, self.module.name)
        package = own if self.module.is_package else own[:-1]
        common = 0
        while common < min(len(package), len(module)) and package[common] == module[common]:
            common += 1
        level = len(package) - common + 1
        return ast.ImportFrom(".".join(module[common:]) or None, names, level)

    def visit_Name(self, node):
        if not any(node.id in scope for scope in self.scopes):
            node.id = self.renamed.get(node.id, node.id)
        return node

    def visit_Attribute(self, node):
        owner = getattr(node.value, "id", None)
        if owner in self.members and not any(owner in scope for scope in self.scopes):
            member = self.members[owner]
            name = self.name_in(member, node.attr)
            here = self.home.get(self.module.name)
            if here is not None and self.home.get(member) == here:
                return ast.Name(name, node.ctx)
            node.attr = name
            return node
        return self.generic_visit(node)

    def visit_FunctionDef(self, node):
        if not self.scopes and node in self.module.tree.body:
            node.name = self.renamed.get(node.name, node.name)
        return self._visit_scope(node)

    def visit_ClassDef(self, node):
        node.name = self.renamed.get(node.name, node.name)
        return self.generic_visit(node)

    def _visit_scope(self, node):
        self.scopes.append(bound(node))
        node = self.generic_visit(node)
        self.scopes.pop()
        return node

    visit_Lambda = visit_ListComp = visit_GeneratorExp = visit_DictComp = _visit_scope


def _imports_once(body):
    """Return *body* with its imports in front, each once."""
    imports = {}
    rest = []
    for node in body:
        if isinstance(node, ast.Import):
            imports.setdefault(ast.unparse(node), node)
        elif isinstance(node, ast.ImportFrom):
            source = imports.setdefault((node.level, node.module), node)
            known = {(alias.name, alias.asname) for alias in source.names}
            new = [alias for alias in node.names if (alias.name, alias.asname) not in known]
            source.names += new if source is not node else []
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            rest.append(node)
    return list(imports.values()) + rest
