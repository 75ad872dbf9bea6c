"""What the commands print: names format nothing, figures are whole at any width."""

import re

import pytest
from click.testing import CliRunner

from tflm_host.__main__ import main
from tflm_host.model import native
from tflm_host.places import ROOT
from tflm_host.report import terminal
from tflm_host.report.terminal import Grid, paint, say, visible

DIGITS = ROOT / "models" / "digits_cnn.tflite"
WIDTHS = (40, 60, 80, 120, 200)
FIGURE = re.compile(r"\d[\d,.]*")


@pytest.fixture
def width(monkeypatch):
    def change(columns):
        monkeypatch.setattr(terminal.out, "_width", columns)
        assert terminal.out.width == columns

    return change


def test_visible_escapes_what_a_terminal_obeys():
    assert visible("a\x1b[2J\x9b\r\n\t\x7f\u202e\ud800 é 漢") == (
        "a\\x1b[2J\\x9b\\r\\n\\t\\x7f\\u202e\\ud800 é 漢"
    )
    assert visible("a\nb\x1b", breaks=True) == "a\nb\\x1b"


def test_say_and_grid_read_no_markup(capsys):
    say("[red]x[/nope] :smile: ", paint("[b]\x07", "red"))
    grid = Grid("[i]t[/i]", "[u]c", ">n")
    grid.add_row("[/]\x1b[1m", "1")
    grid.show()
    printed = capsys.readouterr().out
    assert "[red]x[/nope] :smile: [b]\\x07" in printed
    assert "[/]\\x1b[1m" in printed
    assert "\x1b" not in printed


def test_grid_columns_go_the_last_first_and_are_named(capsys, width):
    grid = Grid("title", "name", ">a", ">b", "!kept")
    grid.add_row("x" * 30, "1,000,000", "2,000,000", "here")
    width(40)
    grid.show()
    printed = capsys.readouterr().out
    assert "1,000,000" in printed
    assert "2,000,000" not in printed
    assert "here" in printed
    assert "no room for: b" in printed
    assert "".join(re.findall("x+", printed)) == "x" * 30


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize(
    "line",
    [
        ("arena", "--details"),
        ("arena", "--planner", "linear", "--details"),
        ("inspect", "--tensors"),
        ("bench",),
    ],
)
def test_figures_are_whole_at_any_width(width, columns, line):
    """Every figure of a narrow table stands in the widest one, too."""
    command, *options = line
    if command == "bench":  # its times differ from run to run
        options = ["--target", "host"]
    args = [command, str(DIGITS), *options]
    width(1000)
    wide = set(FIGURE.findall(CliRunner().invoke(main, args).output))
    width(columns)
    result = CliRunner().invoke(main, args)
    assert result.exit_code == 0
    if command != "bench":
        assert set(FIGURE.findall(result.output)) - wide <= {str(columns)}
    tables = [row for row in result.output.splitlines() if re.match(r" *\d+  [A-Z_]+", row)]
    assert tables
    assert all(len(row) <= columns for row in tables)


@pytest.mark.parametrize("columns", WIDTHS)
def test_boards_that_do_not_fit_say_by_how_much(width, columns, tmp_path):
    large = tmp_path / "large.tflite"
    large.write_bytes(DIGITS.read_bytes() + bytes(5 << 20))
    width(columns)
    printed = CliRunner().invoke(main, ["arena", str(large), "--board", "MICROBIT"]).output
    missing = DIGITS.stat().st_size + (5 << 20) - (4 << 20)
    assert f"{missing:,}" in printed


@pytest.mark.parametrize(("is_terminal", "lines"), [(True, 1), (False, 0)])
def test_terminal_is_told_why_the_first_command_takes_longer(
    is_terminal, lines, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(native, "LIBRARIES", tmp_path)
    monkeypatch.setattr(native, "link", lambda path, *_: path.write_bytes(b""))
    monkeypatch.setattr("sys.stderr.isatty", lambda: is_terminal)
    made = native.library()
    assert native.library() == made
    assert capsys.readouterr().err.count("compiling the C kernels") == lines


def test_nothing_is_said_or_written_where_nothing_compiles(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(native, "LIBRARIES", tmp_path / "host")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("CC", "")
    monkeypatch.setattr(native.shutil, "which", lambda _name: None)
    with pytest.raises(native.BuildError, match="no C compiler found"):
        native.library()
    assert capsys.readouterr().err == ""
    assert not list(tmp_path.iterdir())
