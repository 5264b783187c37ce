"""Keep marks in listings and signatures only around text that looks different.

A line that is too long for a phone gets a mark, by which a sheet indents its rest.

Pygments marks each word and bracket, and Sphinx each word of a signature. Most of them
look like the text around them, and each mark is another element to read and lay out.
"""

from __future__ import annotations

import html
import re

RULE = re.compile(r"^(.*?)\.highlight(?: \.(\w+))? \{ (.*?) \}", re.MULTILINE)
LISTING = re.compile(r'(?<=<div class="highlight">)<pre>.*?</pre>', re.DOTALL)
MARK = re.compile(r'<span class="(\w+)">([^<]*)</span>')
SIGNATURE = re.compile(r'<dt class="(?:sig |field-).*?</dt>', re.DOTALL)
WORD = re.compile(r'<span class="(?:pre|[npw]|colon)">([^<]*)</span>')
TAG = re.compile(r"<[^>]*>")
LONG, INDENT, DEEPEST = 40, 4, 3
TWO_ALIKE = re.compile(r'(<span class="(\w+)">[^<]*)</span>(\s*)<span class="\2">')


def plainer(page: str, sheet: str) -> str:
    """Return a page whose listings and signatures look the same, with fewer elements.

    Args:
        page: as Sphinx wrote it.
        sheet: the style sheet of the highlighter.
    """
    plain = unmarked(sheet)

    def marked(mark: re.Match[str]) -> str:
        return mark[2] if mark[1] in plain else mark[0]

    def listing(found: re.Match[str]) -> str:
        code, joined = MARK.sub(marked, found[0]), 1
        while joined:
            code, joined = TWO_ALIKE.subn(r"\1\3", code)
        return with_long_lines(code)

    def signature(found: re.Match[str]) -> str:
        words, inner = found[0], 1
        while inner:
            words, inner = WORD.subn(r"\1", words)
        return words

    return SIGNATURE.sub(signature, LISTING.sub(listing, page))


def with_long_lines(listing: str) -> str:
    """Return a listing whose long lines are marked with the depth of their beginning.

    >>> with_long_lines(f"<pre>x = (\\n{' ' * 4}{'y' * 40})</pre>").replace("y", "")
    '<pre>x = (\\n<span class="in in1">    )</span></pre>'
    """
    begin, end = listing.index(">") + 1, listing.rindex("</pre>")
    lines = listing[begin:end].splitlines(keepends=True)
    return listing[:begin] + "".join(map(in_depth, lines)) + listing[end:]


def in_depth(line: str) -> str:
    """Return a line, marked if it is long and every mark that it opens is closed."""
    text = html.unescape(TAG.sub("", line.removeprefix("<span></span>"))).rstrip()
    if len(text) <= LONG or line.count("<span") != line.count("</span>"):
        return line
    depth = min((len(text) - len(text.lstrip())) // INDENT, DEEPEST)
    return f'<span class="in{f" in{depth}" if depth else ""}">{line}</span>'


def unmarked(sheet: str) -> set[str]:
    """Return the classes that look like the text around them, in all themes.

    >>> unmarked(".highlight { background: #fff; color: #111 }\\n"
    ...          ".highlight .k { color: #222 }\\n"
    ...          ".highlight .n { color: #111 }")
    {'n'}
    """
    looks: dict[str, list[tuple[str, str]]] = {}
    for theme, name, rule in RULE.findall(sheet):
        look = rule if name else rule[rule.index("color:") :]
        looks.setdefault(name, []).append((theme, look))
    around = looks.pop("")
    return {name for name, look in looks.items() if look == around}
