"""Weigh the built pages in Chromium: `python -m press.weigh [page ...]`.

It prints two tables: the cost of a page before any click, and its times on a slow
machine with a slow connection (4 times slower, 1.6 Mbit/s, 150 ms for an answer). Bytes
and requests are exact. Times depend on the machine and its load: they are medians of
several visits, for comparisons only.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import statistics
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ViewportSize, sync_playwright

from notebooks.notebook import ROOT
from press.chromium import launch
from press.site.publishing import MOVED

HTML = ROOT / "_build" / "html"
SCREENS: dict[str, ViewportSize] = {
    "desktop": {"width": 1280, "height": 900},
    "phone": {"width": 360, "height": 740},
}
SLOWER = 4
LINE = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1.6e6 / 8,
    "uploadThroughput": 0.75e6 / 8,
}
QUIET = 1500  # milliseconds, after which the page is expected to be still
COMPRESSED = (
    *(".html", ".css", ".js", ".mjs", ".svg", ".json", ".xml", ".txt", ".ipynb"),
    ".wasm",
)

# Events that the browser reports while the page loads.
OBSERVE = """
window.weighed = {cls: 0, lcp: 0, tasks: [], shifts: []};
const watch = (type, heard) => new PerformanceObserver(
    list => list.getEntries().forEach(heard)).observe({type, buffered: true});
watch("layout-shift", e => {
    if (e.hadRecentInput) return;
    weighed.cls += e.value;
    weighed.shifts.push([e.value, e.sources.map(s => s.node?.nodeName + "." +
        (s.node?.className ?? ""))]);
});
watch("largest-contentful-paint", e => { weighed.lcp = e.startTime; });
watch("longtask", e => { weighed.tasks.push([e.startTime, e.duration]); });
"""
READ = """
() => {
    const fcp = performance.getEntriesByName("first-contentful-paint")[0]?.startTime;
    const tbt = weighed.tasks.filter(([start]) => start > fcp)
        .reduce((sum, [, time]) => sum + Math.max(0, time - 50), 0);
    const load = performance.getEntriesByType("navigation")[0];
    return {fcp, tbt, lcp: weighed.lcp, cls: weighed.cls, shifts: weighed.shifts,
        dom: load.domContentLoadedEventEnd, load: load.loadEventEnd};
}
"""


@dataclass(frozen=True)
class Weight:
    """The requests of a page before any click; sizes are of compressed bodies."""

    requests: int
    size: int
    raw: int
    elsewhere: tuple[str, ...]
    parts: dict[str, int]


@dataclass(frozen=True)
class Vitals:
    """Medians of several visits; times are in seconds."""

    fcp: float
    lcp: float
    cls: float
    tbt: float
    dom: float
    load: float


class Compressing(SimpleHTTPRequestHandler):
    """Compresses text, as most hosts do."""

    protocol_version = "HTTP/1.1"
    packed: ClassVar[dict[Path, bytes]] = {}

    def do_GET(self) -> None:
        """Send a file."""
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            return self.send_error(404)
        text = path.suffix in COMPRESSED
        if path not in self.packed:
            content = path.read_bytes()
            self.packed[path] = gzip.compress(content, 6) if text else content
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Length", str(len(self.packed[path])))
        if text:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        # A closed browser no longer listens.
        with contextlib.suppress(ConnectionError):
            self.wfile.write(self.packed[path])
        return None

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


@contextlib.contextmanager
def serving(folder: Path, host: type[Compressing] = Compressing) -> Iterator[str]:
    """Serve a folder compressed; yield its address."""
    Compressing.packed.clear()
    handler = partial(host, directory=str(folder))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def weight(browser: Browser, address: str, page: str, screen: str) -> Weight:
    """Open a page with an empty cache, and add up its requests."""
    context = browser.new_context(viewport=SCREENS[screen])
    tab = context.new_page()
    answers: list[Any] = []
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.on("response", lambda answer: answers.append(answer))
    tab.goto(f"{address}{page}.html", wait_until="networkidle")
    asked = [url for url in asked if url.startswith("http")]
    parts: dict[str, int] = {}
    raw = 0
    for answer in answers:
        if answer.url.startswith(address):
            kind = Path(urlsplit(answer.url).path).suffix.lstrip(".")
            size = int(answer.headers.get("content-length", 0))
            parts[kind] = parts.get(kind, 0) + size
            raw += len(answer.body())
    context.close()
    elsewhere = tuple(url for url in asked if not url.startswith(address))
    return Weight(len(asked), sum(parts.values()), raw, elsewhere, parts)


def vitals(
    browser: Browser, address: str, page: str, screen: str, visits: int
) -> Vitals:
    """Open a page several times on a slow machine; return the medians."""
    seen = [visit(browser, address, page, screen) for _ in range(visits)]

    def median(name: str, unit: float) -> float:
        return float(statistics.median(one[name] for one in seen)) / unit

    times = {name: median(name, 1000) for name in ("fcp", "lcp", "tbt", "dom", "load")}
    return Vitals(cls=median("cls", 1), **times)


def visit(
    browser: Browser, address: str, page: str, screen: str, slow: bool = True
) -> dict[str, Any]:
    """Open a page with an empty cache; return the browser's measurements."""
    context = browser.new_context(viewport=SCREENS[screen], color_scheme="dark")
    tab = context.new_page()
    tab.add_init_script(OBSERVE)
    if slow:
        session = context.new_cdp_session(tab)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", LINE)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    tab.goto(f"{address}{page}.html", wait_until="load", timeout=120_000)
    tab.wait_for_load_state("networkidle")
    tab.wait_for_timeout(QUIET if slow else QUIET / SLOWER)
    measured: dict[str, Any] = tab.evaluate(READ)
    context.close()
    return measured


def main(arguments: Sequence[str] | None = None) -> int:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*", help="such as index or chapters/04_order")
    parser.add_argument("--html", type=Path, default=HTML, help="the built book")
    parser.add_argument("--visits", type=int, default=3, help="0 leaves times out")
    options = parser.parse_args(arguments)
    if not (options.html / "index.html").is_file():
        print("There is no complete book. Run: make book", file=sys.stderr)
        return 1
    found = sorted(path.relative_to(options.html) for path in pages(options.html))
    named = options.pages or [path.with_suffix("").as_posix() for path in found]
    with (
        serving(options.html) as address,
        sync_playwright() as playwright,
        contextlib.closing(launch(playwright)) as browser,
    ):
        print("| page | requests | kB | uncompressed | of which | other hosts |")
        print("| --- | --- | --- | --- | --- | --- |")
        for name in named:
            print(weight_row(name, weight(browser, address, name, "desktop")))
        if not options.visits:
            return 0
        print("\n| page | screen | FCP | LCP | CLS | TBT | DOMContentLoaded | load |")
        print("| --- | --- | --- | --- | --- | --- | --- | --- |")
        for name in named:
            for screen in SCREENS:
                measured = vitals(browser, address, name, screen, options.visits)
                print(vitals_row(name, screen, measured), flush=True)
    return 0


def pages(html: Path) -> list[Path]:
    """Return the pages of a built book, without redirects and files for programs."""
    moved = {html / f"{old}.html" for old in MOVED}
    found = [
        *html.glob("*.html"),
        *html.glob("chapters/*.html"),
        *html.glob("pages/*.html"),
    ]
    return [path for path in found if path not in moved]


def weight_row(name: str, one: Weight) -> str:
    """Return the line of the first table."""
    parts = ", ".join(
        f"{kind} {size / 1000:.0f}"
        for kind, size in sorted(one.parts.items(), key=lambda part: -part[1])
    )
    hosts = len(one.elsewhere) or "none"
    return (
        f"| {name} | {one.requests} | {one.size / 1000:.0f} | {one.raw / 1000:.0f} "
        f"| {parts} | {hosts} |"
    )


def vitals_row(name: str, screen: str, one: Vitals) -> str:
    """Return the line of the second table."""
    times = " | ".join(f"{time:.2f} s" for time in (one.tbt, one.dom, one.load))
    return (
        f"| {name} | {screen} | {one.fcp:.2f} s | {one.lcp:.2f} s | {one.cls:.3f} "
        f"| {times} |"
    )


if __name__ == "__main__":
    raise SystemExit(main())
