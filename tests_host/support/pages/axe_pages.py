"""Runs axe-core, or a test's script, over built pages in a headless browser, served from here."""

import http.server
import json
import os
import queue
import shutil
import signal
import subprocess
import threading
from pathlib import Path

from tflm_host.places import BUILD, ROOT

SOURCES = Path(__file__).with_name("axe")
TOOLS = BUILD / "axe"
AXE = TOOLS / "node_modules" / "axe-core" / "axe.min.js"
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0")
SCHEMES = 2  # light and dark
SECONDS = 240


def browser():
    """Return the path of a browser, or None."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def install():
    """Fetch axe-core, as the lock file pins it."""
    subprocess.run([ROOT / "scripts" / "npm_install.sh", SOURCES, TOOLS], check=True)


def violations(folder, pages, widths, profile):
    """Return what axe-core finds in *pages* below *folder*, a line each, light and dark.

    pages    [{"path": of a page, "click": a selector, "shows": what is waited for}]
    widths   pixels
    profile  a folder for the browser
    """
    plan = json.dumps({"pages": pages, "widths": widths})
    served = {
        "/harness.html": (SOURCES / "harness.html").read_bytes(),
        "/axe.js": AXE.read_bytes(),
        "/plan.json": plan.encode(),
    }
    answer = answer_of("/harness.html", folder, served, profile)
    if answer.get("error") or answer["looked"] != len(pages) * len(widths) * SCHEMES:
        raise RuntimeError(f"axe-core did not run: {answer}")
    return answer["violations"]


def answer_of(path, folder, served, profile, options=(), seconds=SECONDS):
    """Open *path* in a browser with more *options*; return what the page posts in *seconds*."""
    answers = queue.Queue()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler(folder, served, answers)) as at:
        threading.Thread(target=at.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{at.server_port}{path}"
        command = [browser(), *OPTIONS, *options, f"--user-data-dir={profile}", url]
        # A session of its own: what Debian calls a browser is a script that starts it.
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            return answers.get(timeout=seconds)
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()
            at.shutdown()


def handler(folder, served, answers):
    """Return a class that serves *served* and files of *folder*, and queues what is posted.

    A value of *served* is bytes, or a function that answers both GET and POST by itself.
    """

    class Handler(http.server.SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # one connection for many requests
        disable_nagle_algorithm = True  # which lets short answers wait

        def __init__(self, *arguments):
            super().__init__(*arguments, directory=str(folder))

        def do_GET(self):
            found = served.get(self.path)
            if found is None:
                super().do_GET()
                return
            if callable(found):
                found(self)
                return
            self.send_response(200)
            self.send_header("Content-Type", self.guess_type(self.path))
            self.send_header("Content-Length", str(len(found)))
            self.end_headers()
            self.wfile.write(found)

        def do_POST(self):
            if self.path in served:
                served[self.path](self)
                return
            answers.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    return Handler
