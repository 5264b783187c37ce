"""The text face of the book; and the fonts of formulas, with the signs in use only."""

from __future__ import annotations

import hashlib
import io
import re
from base64 import b64encode
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

from press.site import mathjax
from press.site.formulas import FONTS

FACES = Path(__file__).parent.parent / "faces"
"""The files of the text face; press/licences/ says where they come from."""
ROMAN, ITALIC = "bottom-up-roman.woff2", "bottom-up-italic.woff2"
OWN_FACE = re.compile(rf"{FONTS}/(bottom-up-\w+\.woff2)")
FACE = re.compile(r"@font-face[^{]*\{[^}]*?/(MathJax_[\w-]+)\.woff[^}]*\}")
SIGN = re.compile(r'content: "((?:\\.|[^"\\])*)"')
ESCAPED = re.compile(r"\\([0-9A-Fa-f]{1,6}) ?|\\(.)")
EMPTY = "MathJax_Zero"  # the font of boxes without height


def with_text_face(sheet: str, target: Path) -> str:
    """Write the file of the roman face; return the sheet with its digest.

    The italic face, half as large, becomes part of the sheet: one request less.

    Args:
        sheet: the style sheet that names them.
        target: the folder of the fonts, beside the sheet.
    """
    target.mkdir(parents=True, exist_ok=True)

    def put(found: re.Match[str]) -> str:
        content = (FACES / found[1]).read_bytes()
        if found[1] == ITALIC:
            return f"data:font/woff2;base64,{b64encode(content).decode()}"
        (target / found[1]).write_bytes(content)
        return f"{found[0]}?v={hashlib.sha256(content).hexdigest()[:8]}"

    return OWN_FACE.sub(put, sheet)


def text_face(sheet: str) -> str:
    """Return the name, with its digest, of the file of the text face."""
    return sheet[sheet.index(f"{FONTS}/{ROMAN}") :].partition(")")[0]


def boxes_face(sheet: str) -> str:
    """Return the name, with its digest, of the file of formulas' boxes."""
    return sheet[sheet.index(f"{FONTS}/{EMPTY}") :].partition('"')[0]


def with_fonts(style: str, target: Path) -> str:
    """Write the fonts that a style sheet of formulas needs; return the sheet for them.

    Args:
        style: the sheet; its rules name each character once.
        target: the folder of the fonts, beside the sheet.
    """
    signs = {ord(sign) for text in SIGN.findall(style) for sign in plain(text)}
    target.mkdir(parents=True, exist_ok=True)

    def put(face: re.Match[str]) -> str:
        content = cut(mathjax.folder() / mathjax.FONTS / f"{face[1]}.woff", signs)
        if not content:
            return ""
        (target / f"{face[1]}.woff").write_bytes(content)
        digest = hashlib.sha256(content).hexdigest()[:8]
        return face[0].replace(".woff", f".woff?v={digest}")

    return FACE.sub(put, style)


def plain(text: str) -> str:
    r"""Return the text of a string in a style sheet.

    >>> plain(r"a\2212 b\"")
    'a\u2212b"'
    """
    return ESCAPED.sub(lambda e: chr(int(e[1], 16)) if e[1] else e[2], text)


def cut(path: Path, signs: set[int]) -> bytes:
    """Return a font with these characters only, empty if it has none of them."""
    if path.stem == EMPTY:
        return path.read_bytes()
    font = TTFont(path, recalcTimestamp=False)
    kept = signs & set(font.getBestCmap())
    if not kept:
        return b""
    options = subset.Options(hinting=False, desubroutinize=True)
    options.drop_tables += ["FFTM"]  # a table of the program that made the font
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=kept)
    cutter.subset(font)
    file = io.BytesIO()
    font.flavor = "woff"
    font.save(file)
    return file.getvalue()
