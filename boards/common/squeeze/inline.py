"""Puts functions and methods that one place calls into that place; see __init__.py.

A function costs some thirty bytes: a header, a name, code that makes and code that calls it. It
goes where its call is a statement of its own, `x = call` or `return call`, and where it returns
only at its end, or the caller does at once. Together they may not have many variables: from the
seventeenth on each use takes two bytes instead of one.
"""

import ast
import copy

from .module import bound

MOST = 24  # variables


def inline_once(modules, kept):
    """Inline in *modules*, a list, what is called once; functions and methods *kept* stay."""
    while any([_inline_in(module, modules, kept) for module in modules]):
        pass


def _inline_in(module, modules, kept):
    counts = {}
    for other in modules:
        for node in other.nodes(ast.Name, ast.Attribute, ast.alias):
            name = getattr(node, "id", None) or getattr(node, "attr", None) or node.name
            counts[name] = counts.get(name, 0) + 1
    once = {name for name, count in counts.items() if count == 1 and name not in kept}
    done = 0
    for owner in [module.tree] + module.nodes(ast.ClassDef):
        for function in [node for node in owner.body if isinstance(node, ast.FunctionDef)]:
            if function.name in once and _is_plain(function):
                where = module.tree if owner is module.tree else owner
                if _Site(function, owner is not module.tree).find(where):
                    owner.body.remove(function)
                    done += 1
    return done


def _is_plain(function):
    given = function.args
    if (
        function.decorator_list
        or given.vararg
        or given.kwarg
        or given.defaults
        or given.kwonlyargs
    ):
        return False
    barred = (ast.Yield, ast.YieldFrom, ast.Global, ast.Nonlocal, ast.FunctionDef, ast.Lambda)
    return not any([isinstance(node, barred) for part in function.body for node in ast.walk(part)])


class _Site:
    """The one call of *function*, and what becomes of it."""

    def __init__(self, function, is_method):
        self.function, self.is_method = function, is_method
        self.body = [node for node in function.body if not _is_text(node)]
        self.returns = [node for part in self.body for node in ast.walk(part) if _is_return(node)]

    def find(self, owner):
        """Inline the function where *owner* calls it; return whether it was."""
        for caller in [node for node in ast.walk(owner) if isinstance(node, ast.FunctionDef)]:
            if caller is self.function:
                continue
            for node in ast.walk(caller):
                for field in ("body", "orelse", "finalbody"):
                    body = getattr(node, field, None)
                    for i, statement in enumerate(body if isinstance(body, list) else []):
                        if self._is_call(getattr(statement, "value", None)):
                            made = self._statements(statement, caller)
                            if made is None:
                                return False
                            body[i : i + 1] = made
                            return True
        return False

    def _is_call(self, node):
        if not isinstance(node, ast.Call) or node.keywords:
            return False
        if any([isinstance(part, ast.Starred) for part in node.args]):
            return False
        if self.is_method:
            owner = getattr(getattr(node.func, "value", None), "id", "")
            return owner == "self" and node.func.attr == self.function.name
        return getattr(node.func, "id", "") == self.function.name

    def _statements(self, statement, caller):
        """Return what stands for *statement* in *caller*, None where nothing can."""
        if not self._fits(statement):
            return None
        taken, own = bound(caller), bound(self.function)
        if _names(self.body).difference(own).intersection(taken):
            return None  # what is a global there is a variable here
        names = self._shared(statement.value, taken)
        if len(taken) + len(own) - len(names) > MOST:
            return None
        taken |= _names(caller.body)
        for name in sorted(own.difference(names)):
            short = name
            while short in taken:
                short += "_"
            names[name] = short
            taken.add(short)
        first = []
        for parameter, value in self._arguments(statement.value):
            if getattr(value, "id", "") != names[parameter]:
                first.append(ast.Assign([ast.Name(names[parameter], ast.Store())], value))
        body = first + [_Renamer(names).visit(copy.deepcopy(part)) for part in self.body]
        return [ast.fix_missing_locations(node) for node in self._end(body, statement)]

    def _fits(self, statement):
        at_end = bool(self.returns) and self.body[-1] is self.returns[-1]
        if isinstance(statement, ast.Return):
            return True
        if len(self.returns) > at_end:
            return False
        if isinstance(statement, ast.Assign):
            return at_end and self.body[-1].value is not None
        return isinstance(statement, ast.Expr)

    def _arguments(self, call):
        given = ([ast.Name("self", ast.Load())] if self.is_method else []) + call.args
        return zip([part.arg for part in self.function.args.args], given, strict=True)

    def _shared(self, call, variables):
        """Return {parameter: variable of the caller} of those that can be one."""
        nodes = [node for part in self.body for node in ast.walk(part)]
        names = [node for node in nodes if isinstance(node, ast.Name)]
        stored = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
        pairs = [(name, getattr(value, "id", "")) for name, value in self._arguments(call)]
        return {name: given for name, given in pairs if given in variables and name not in stored}

    def _end(self, body, statement):
        last = body[-1]
        if isinstance(statement, ast.Return):
            return body if isinstance(last, (ast.Return, ast.Raise)) else body + [ast.Return()]
        if isinstance(statement, ast.Assign):
            return body[:-1] + [ast.Assign(statement.targets, last.value)]
        if isinstance(last, ast.Return):
            return body[:-1] + ([ast.Expr(last.value)] if last.value else [])
        return body


class _Renamer(ast.NodeTransformer):
    def __init__(self, names):
        self.names = names

    def visit_Name(self, node):
        node.id = self.names.get(node.id, node.id)
        return node

    def visit_ExceptHandler(self, node):
        node.name = self.names.get(node.name, node.name)
        return self.generic_visit(node)

    def _visit_scope(self, node):
        hidden = {name: self.names.pop(name) for name in bound(node) if name in self.names}
        self.generic_visit(node)
        self.names.update(hidden)
        return node

    visit_ListComp = visit_GeneratorExp = visit_DictComp = _visit_scope


def _is_text(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_return(node):
    return isinstance(node, ast.Return)


def _names(body):
    nodes = [node for part in body for node in ast.walk(part)]
    return {node.id for node in nodes if isinstance(node, ast.Name)}
