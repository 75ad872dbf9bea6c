"""The tests that were skipped, counted by cause, for the end of a run of pytest."""

import os
import re
from collections import Counter

CI = "CI"  # continuous integration sets this variable; .ci/run does too
OF_SHARED = re.compile(r"\bshared\b|beside the clone|others' models")
PREFIX = "Skipped: "


def causes(reports):
    """Return [(cause, number of tests)] of the skipped *reports*, the most frequent first."""
    counts = Counter(cause_of(report) for report in reports)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def cause_of(report):
    """Return the reason that a skipped test or module gave."""
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return reason.removeprefix(PREFIX).partition("\n")[0]


def unexcused(reports, folder):
    """Return the causes that want the folder shared, where it is there and this is CI."""
    if os.environ.get(CI, "").lower() not in ("true", "1") or not folder.is_dir():
        return []
    return [cause for cause, _ in causes(reports) if OF_SHARED.search(cause)]
