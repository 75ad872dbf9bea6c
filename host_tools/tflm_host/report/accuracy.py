"""The share of right predictions for files whose class their folder or name gives."""

import re

from .answers import amount, name_of
from .terminal import Grid, number, paint, say

LISTED = 20  # files shown one by one
MATRIX = 12  # classes of a matrix that is shown whole


def class_of(path, folder, labels, count):
    """Return the class that the file *path* is of, or None.

    folder  the path that the user named; a folder inside it may have the name of a class
    labels  the names of the classes, or None; *count* is how many there are

    The folder (7/a.png) has the label or number of the class, or else the beginning of the file's
    name (7_a.png, cat-2.wav).
    """
    names = [path.parent.name] if path.parent != folder else []
    stem = path.stem
    names += [stem, *(stem[: found.start()] for found in re.finditer(r"[ _.-]", stem))]
    known = {label.casefold(): i for i, label in reversed(list(enumerate(labels or ())))}
    for name in names:
        if name.casefold() in known:
            return known[name.casefold()]
        if name.isdecimal() and int(name) < count:
            return int(name)
    return None


class Tally:
    """The results of a model for many files.

    rows  (file name, its class or None, the predicted class, its number)
    """

    def __init__(self, labels, shares):
        self._labels = labels
        self._shares = shares
        self.rows = []

    def add(self, name, wanted, answered, value):
        self.rows.append((name, wanted, answered, value))

    @property
    def judged(self):
        """The rows whose class is known."""
        return [row for row in self.rows if row[1] is not None]

    @property
    def right(self):
        return sum(wanted == answered for _, wanted, answered, _ in self.judged)

    def confusion(self):
        """Return {class: {predicted class: number of files}}, of the classes that occur."""
        table = {}
        for _, wanted, answered, _ in self.judged:
            row = table.setdefault(wanted, {})
            row[answered] = row.get(answered, 0) + 1
        return {wanted: dict(sorted(table[wanted].items())) for wanted in sorted(table)}

    def facts(self):
        """Return all of it, for JSON."""
        files = [
            {
                "file": name,
                "class": None if wanted is None else name_of(self._labels, wanted),
                "answer": name_of(self._labels, answered),
                "value": value,
            }
            for name, wanted, answered, value in self.rows
        ]
        judged, confusion = self.judged, self.confusion()
        return {
            "files": files,
            "judged": len(judged),
            "right": self.right,
            "accuracy": self.right / len(judged) if judged else None,
            "confusion": {
                name_of(self._labels, wanted): {
                    name_of(self._labels, i): count for i, count in row.items()
                }
                for wanted, row in confusion.items()
            },
        }

    def show(self):
        """Print it: the files if they are few, the matrix, how many are right."""
        if len(self.rows) <= LISTED:
            self._show_files()
        judged = self.judged
        if not judged:
            say("no file's folder or name tells its class, so nothing can be counted as right")
            return
        self._show_matrix()
        share = f"{100 * self.right / len(judged):.1f} %"
        left = len(self.rows) - len(judged)
        unknown = f"; {number(left)} files are of no known class" if left else ""
        say(f"\n{number(self.right)} of {number(len(judged))} right: {share}{unknown}")

    def _show_files(self):
        grid = Grid("", "file", "!answer", ">")
        for name, wanted, answered, value in self.rows:
            answer = name_of(self._labels, answered)
            if wanted not in (None, answered):
                answer = paint(f"{answer} (wrong)", "red")
            grid.add_row(name, answer, amount(value, self._shares))
        grid.show()

    def _show_matrix(self):
        confusion = self.confusion()
        answers = sorted({i for row in confusion.values() for i in row} | set(confusion))
        if len(answers) > MATRIX:
            self._show_mistakes(confusion)
            return
        titles = [f">!{name_of(self._labels, i)}" for i in answers]
        grid = Grid("\nfiles by class (row) and answer (column)", "class", *titles)
        for wanted, row in confusion.items():
            cells = [number(row[i]) if i in row else "." for i in answers]
            grid.add_row(name_of(self._labels, wanted), *cells)
        grid.show()

    def _show_mistakes(self, confusion):
        wrong = [
            (count, wanted, i)
            for wanted, row in confusion.items()
            for i, count in row.items()
            if i != wanted
        ]
        grid = Grid("\nmost frequent mistakes", "class", "answer", ">files")
        for count, wanted, i in sorted(wrong, key=lambda row: (-row[0], row[1:]))[:MATRIX]:
            names = name_of(self._labels, wanted), name_of(self._labels, i)
            grid.add_row(*names, number(count))
        if grid.row_count:
            grid.show()
