"""Runs examples as they stand in a text and compares what they show, on any Python.

    >>> t = interp.inputs[0]
    >>> t[0:2]
    [1, 2]
    >>> t[9]
    IndexError: element 9 of 4 in tensor t0

An example begins with ">>> ", its other lines with "... ". An expression shows its repr, None
nothing, an exception its name and message. Lines that begin with "#" say what follows.
"""


def walk(text, names, where=None):
    """Run the examples of *text* with the globals *names*; return a list of what is wrong.

    where  the folder that stands for /rom in them
    """
    wrong = []
    for example in text.split(">>> ")[1:]:
        lines = [line for line in example.split("\n") if line and line[0] != "#"]
        count = 1
        while lines[count : count + 1] and lines[count][:3] == "...":
            count += 1
        source = "\n".join([lines[0]] + [line[4:] for line in lines[1:count]])
        if where is not None:
            source = source.replace('"/rom/', '"' + where + "/")
        found = shown(source, names)
        if found != "\n".join(lines[count:]):
            wrong.append("%s\n%s\n" % ("\n".join(lines), found))
    return wrong


def shown(source, names):
    """Return what *source*, an expression or statements, shows."""
    try:
        try:
            value = eval(source, names)
        except SyntaxError:
            value = exec(source, names)
    except Exception as error:
        return "%s: %s" % (type(error).__name__, error)
    return "" if value is None else repr(value)
