"""Tables of all error messages, read from the sources, for docs/messages.md.

A message is the text that an exception is made with. It may have placeholders, each named
after the variable or attribute that fills it.
"""

import ast
import re
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

from ..places import ROOT

RUNTIME = ROOT / "mp_modules" / "tflm"
TOOLS = ROOT / "host_tools"
MODULE_IN_C = ROOT / "firmware" / "tflm"
OF_A_NODE = "ModelError of a node"  # whose operator and number stand before the message
PART = "Parts of other messages"
IN_C = "Of the module `_tflm`, in C"
RAISING = {  # functions
    "fail": OF_A_NODE,
    "expect": OF_A_NODE,
    "_refuse": "InputError",
    "_shortage": PART,
}
EXCEPTION = re.compile(r"[A-Z]\w*(Error|Exception)|Refusal|NoRoom|SolverMissing")
OF_A_PART = {"ArenaError"}  # its argument is the beginning of its message
LETTERS = re.compile("[A-Za-z]{2}")
NO_USERS = ("tflm_host/generate/squeeze", "tflm_host/targets/device")  # what only we run
OPEN, CLOSE = "\ue000", "\ue001"  # around the name of a placeholder
PLACEHOLDER = re.compile(f"{OPEN}([^{CLOSE}]*){CLOSE}")
FORMAT = re.compile(r"%[-+0#]*\d*(?:\.\d+)?(?:l*[diouxXs]|[rcgGeEfFa])|%%")
TEXT_IN_C = re.compile(r'MP_ERROR_TEXT\("((?:[^"\\]|\\.)*)"\)')
LONGEST_NAME = 24  # of a placeholder that is an expression


@dataclass(frozen=True, order=True)
class Message:
    """One message; *text* has its placeholders between OPEN and CLOSE."""

    group: str  # the exception, or another heading
    module: str
    text: str

    @property
    def readable(self):
        """The message with its placeholders as <name>, in one line."""
        return PLACEHOLDER.sub(r"<\1>", " ".join(self.text.split()))

    @property
    def literals(self):
        """The texts between the placeholders."""
        return PLACEHOLDER.sub("\n", " ".join(self.text.split())).split("\n")

    def matches(self, line):
        """Return whether *line* contains this message, with anything for its placeholders."""
        return re.search(".+".join(map(re.escape, self.literals)), line) is not None


@cache
def runtime_messages():
    """Return the Messages of the package that runs on boards, and of its module in C, sorted."""
    return sorted(_of_folder(RUNTIME) | _of_c(MODULE_IN_C))


@cache
def tool_messages():
    """Return the Messages of the tools on the PC, sorted."""
    return sorted(_of_folder(TOOLS))


def messages_of(module, source):
    """Return the Messages in *source*, the text of *module*, sorted."""
    return sorted(set(_Reader(module, ast.parse(source)).messages()))


def tables():
    """Return the text of the page: a table for each group."""
    return _section("The runtime", runtime_messages()) + _section("The tools", tool_messages())


def _section(title, messages):
    lines = [f"## {title}", ""]
    groups = sorted({message.group for message in messages}, key=lambda g: (g in (PART, IN_C), g))
    for group in groups:
        heading = f"`{group}`" if EXCEPTION.fullmatch(group) else group
        lines += [f"### {title}: {heading}", "", "| message | module |", "|---|---|"]
        for message in messages:
            if message.group == group:
                text = message.readable.replace("|", r"\|")
                ticks = "``" if "`" in text else "`"
                pad = " " if text.startswith("`") or text.endswith("`") else ""
                lines.append(f"| {ticks}{pad}{text}{pad}{ticks} | `{message.module}` |")
        lines.append("")
    return "\n".join(lines) + "\n"


def _of_folder(folder):
    found = set()
    for path in sorted(folder.rglob("*.py")):
        module = path.relative_to(folder).as_posix()
        if not module.startswith(NO_USERS):
            found |= set(messages_of(module, path.read_text()))
    return found


def _of_c(folder):
    found = set()
    for path in sorted(folder.glob("*.[ch]")):
        for text in TEXT_IN_C.findall(path.read_text()):
            filled = _filled(text, [], "number")
            found.add(Message(IN_C, Path(path).name, filled))
    return found


class _Reader:
    """Reads the messages of one module."""

    def __init__(self, module, tree):
        self.module = module
        self.tree = tree
        self.scopes = {}  # by id of a node: {name: [values]} of the function around it
        self.classes = {}  # by id of a node: name of the class around it
        self.names = self._assigned(tree.body)
        self._enter(tree, self.names, "")

    def _enter(self, node, names, owner):
        for child in ast.iter_child_nodes(node):
            inner, around = names, owner
            if isinstance(child, ast.FunctionDef):
                inner = names | self._assigned(ast.walk(child))
            if isinstance(child, ast.ClassDef):
                around = child.name
            self.scopes[id(child)], self.classes[id(child)] = inner, around
            self._enter(child, inner, around)

    @staticmethod
    def _assigned(nodes):
        found = {}
        for node in nodes:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                found.setdefault(node.targets[0].id, []).append(node.value)
        return found

    def messages(self):
        """Yield each Message, once or more."""
        told = set()  # ids of nodes that are part of a message that was read
        for node in ast.walk(self.tree):
            group, argument = self._told(node)
            if group is None or (group == PART and id(node) in told):
                continue
            told |= {id(part) for part in ast.walk(argument)}
            for text in self._texts(argument, self.scopes[id(node)]):
                if LETTERS.search(PLACEHOLDER.sub("", text)):
                    yield Message(group, self.module, text)

    def _told(self, call):
        """Return (group, the expression that is the message), or (None, None) where none is."""
        if isinstance(call, ast.BinOp) and isinstance(call.op, ast.Mod) and _is_part(call.left):
            return PART, call
        if not isinstance(call, ast.Call):
            return None, None
        name = getattr(call.func, "id", getattr(call.func, "attr", ""))
        owner = self.classes[id(call)]
        at = _place_of_message(call.args, 1 if name == "expect" else 0)
        if at is None:
            return None, None
        if name == "__init__" and EXCEPTION.fullmatch(owner):
            return owner, call.args[at]
        if EXCEPTION.fullmatch(name):
            return PART if name in OF_A_PART else name, call.args[at]
        if name == "expect":
            values = ast.Tuple(call.args[at + 1 :], ast.Load())
            return RAISING[name], ast.BinOp(call.args[at], ast.Mod(), values)
        if name in RAISING:
            return RAISING[name], call.args[at]
        return (PART, call.args[at]) if _is_part(call) else (None, None)

    def _texts(self, node, names, depth=0):
        """Return the texts that *node* may be; *names* are the names of its function."""
        if isinstance(node, ast.Constant):
            return [node.value] if isinstance(node.value, str) else [_held(str(node.value))]
        if isinstance(node, ast.JoinedStr):
            return ["".join(self._part(part) for part in node.values)]
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            values = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
            parts = [self._value(value) for value in values]
            return [_filled(text, parts) for text in self._texts(node.left, names, depth)]
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            sides = (self._texts(side, names, depth) for side in (node.left, node.right))
            return ["".join(pair) for pair in product(*sides)]
        if isinstance(node, ast.IfExp):
            return [t for way in (node.body, node.orelse) for t in self._texts(way, names, depth)]
        if _is_message_of(node):
            return self._texts(node.args[0], names, depth)
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            return self._of_name(node.value, names, depth)
        if isinstance(node, ast.Name):
            return self._of_name(node, names, depth)
        return [_held(_name(node))]

    def _of_name(self, node, names, depth):
        found = []
        for value in names.get(node.id, ()) if depth < 2 else ():  # no recursion
            values = value.elts if isinstance(value, (ast.Tuple, ast.List)) else [value]
            found += [text for one in values for text in self._texts(one, names, depth + 1)]
        return found or [_held(_name(node))]

    def _value(self, node):
        """Return the placeholder of a value, or its text if it is a constant of the module."""
        node = node.args[0] if _is_message_of(node) else node
        known = self.names.get(getattr(node, "id", ""), ())
        texts = [one.value for one in known if isinstance(one, ast.Constant)]
        return texts[0] if len(texts) == 1 and isinstance(texts[0], str) else _held(_name(node))

    @staticmethod
    def _part(part):
        return part.value if isinstance(part, ast.Constant) else _held(_name(part.value))


def _is_message_of(node):
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == "message_of"


def _is_part(node):
    return _is_message_of(node) and isinstance(node.args[0], ast.Constant)


def _place_of_message(arguments, first):
    """Return the index of the argument from *first* on that holds a text, or *first*, or None."""
    for i, argument in enumerate(arguments[first:], first):
        constants = [n.value for n in ast.walk(argument) if isinstance(n, ast.Constant)]
        if any(isinstance(value, str) and value for value in constants):
            return i
    return first if arguments[first:] else None


def _filled(text, parts, other="value"):
    """Return *text*, its formats of % replaced by *parts*, and by *other* where these end."""
    left = iter(parts)
    return FORMAT.sub(lambda f: "%" if f[0] == "%%" else next(left, _held(other)), text)


def _held(name):
    return f"{OPEN}{name}{CLOSE}"


def _name(node):
    """Return a name for the value of the expression *node*."""
    if isinstance(node, ast.Name):
        name = node.id
    elif isinstance(node, ast.Attribute):
        name = _name(node.value) if node.attr == "__name__" else node.attr
    elif isinstance(node, (ast.Subscript, ast.Starred)):
        name = _name(node.value)
    elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "len":
        name = "number of " + _name(node.args[0])
    elif isinstance(node, ast.Call):
        name = _name(node.args[0] if node.args else node.func)
    elif isinstance(node, ast.BinOp):
        name = ast.unparse(node).replace("self.", "")
        name = name if len(name) <= LONGEST_NAME else _name(node.left)
    elif isinstance(node, (ast.GeneratorExp, ast.ListComp)):
        name = _name(node.generators[0].iter)
    else:
        name = "value"
    name = name.strip("_").replace("_", " ")
    return (name.lower() if name.isupper() else name) or "value"
