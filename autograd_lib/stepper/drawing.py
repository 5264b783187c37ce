"""The finished graph of a stepper: a drawing, or else a table (chapter 00)."""

from __future__ import annotations

import re
from html import escape

from autograd_lib.book.draw import heading, render
from autograd_lib.book.picture import Picture
from autograd_lib.stepper.nodes import label_of
from autograd_lib.stepper.steps import Lines, Trace

ON_EDGE = {
    "shape": "plaintext",
    "fontsize": "11",
    "width": "0",
    "height": "0",
    "margin": "0.04,0.02",
}
SMALLEST, SCROLLED = 0.7, 0.9
"""The smallest scale of a drawing, and of one that then still is wider than `FRAME`."""
FRAME = 390  # points
HEAD = re.compile(r'<polygon [^>]*points="(\S+) (\S+) (\S+) \S+"/>')


def final_lines(trace: Trace) -> dict[str, Lines]:
    """Return the lines of every node and edge when all steps are done."""
    return {
        part: tuple(map(trace.text, lines))
        for s in trace.steps
        for part, lines in s.lines.items()
    }


def drawing(trace: Trace) -> str | None:
    """Return the finished graph as SVG, or None if it can't be drawn.

    Each node and edge has its name as a class.
    """
    try:
        dot = dot_source(trace)
    except ImportError:
        return None
    svg = render(dot)
    return svg and two_headed(svg)


def two_headed(svg: str) -> str:
    """Return a drawing in which arrows have two heads, and only the forward one shows.

    A stem is drawn in place of the hidden head.
    """

    def drawn(arrow: re.Match[str]) -> str:
        left, tip, right = (point.split(",") for point in arrow.groups())
        x, y = ((float(a) + float(b)) / 2 for a, b in zip(left, right, strict=True))
        stem = (
            f'<path fill="none" stroke="black" d="M{x:.2f},{y:.2f} L{",".join(tip)}"/>'
        )
        return f"{stem}\n{arrow[0]}"

    def edge(group: re.Match[str]) -> str:
        text = HEAD.sub(drawn, group[0])
        hidden = 'visibility="hidden" '
        return text.replace("<polygon ", f"<polygon {hidden}") if group[1] else text

    return re.sub(
        r'<g class="edge \w+( used)?[^"]*">.*?</g>', edge, svg, flags=re.DOTALL
    )


def dot_source(trace: Trace) -> str:
    """Return the finished graph in DOT: boxes as in `draw`, and slopes on the edges."""
    from graphviz import Digraph
    from graphviz import escape as literal

    font = {"fontname": "Helvetica,Arial,sans-serif"}
    graph = Digraph(
        graph_attr={
            "rankdir": "LR",
            "bgcolor": "transparent",
            "margin": "0.02",
            "ranksep": "0.22",
            "nodesep": "0.16",
        },
        node_attr={
            "shape": "box",
            "style": "rounded",
            "fontsize": "12",
            "margin": "0.12,0.06",
            **font,
        },
        edge_attr={"arrowsize": "0.6"},
    )
    final = final_lines(trace)
    for i, node in enumerate(trace.nodes):
        name = {"class": f"n{i}"}
        box = "\n".join(filter(None, [heading(node), *final[f"n{i}"]]))
        box = box.replace("&", "&amp;")  # Graphviz decodes HTML entities
        # An incomplete sum may be a longer text than its final value.
        longest = max(
            len(trace.text(s.lines.get(f"n{i}", ("", "  "))[1])) for s in trace.steps
        )
        width = f"{longest * 0.09 + 0.24:.2f}"
        graph.node(f"n{i}", literal(box), _attributes=name, width=width)
    for k, edge in enumerate(trace.edges):
        # Graphviz draws labels over lines; a node in the middle gets its own space.
        label = "\n".join(final[f"e{k}"])
        graph.node(f"e{k}", label, _attributes={"class": f"e{k}"}, **ON_EDGE)
        style = "dotted" if k in trace.stopped else "solid"
        used, user = ({"class": f"e{k} {end}"} for end in ("used", "user"))
        graph.edge(f"n{edge.used}", f"e{k}", style=style, _attributes=used, dir="back")
        graph.edge(f"e{k}", f"n{edge.user}", style=style, _attributes=user)
    return str(graph.source)


def image(picture: Picture) -> str:
    """Return a drawing as an image with a data URL, which the script unpacks.

    If it were inline, a host that removes SVG, such as JupyterLab before a notebook is
    trusted, would leave loose words. It isn't base64, so that comparisons of outputs
    can still find the geometry.
    """
    return f"<img alt=\"{escape(picture.alt)}\" src='{data_url(picture.svg)}'>"


def data_url(svg: str) -> str:
    """Return a drawing as a data URL, with its parts named in `data-part`."""
    svg = re.sub(
        r'class="(?:node|edge) (\w+) (\w+)"', r'data-part="\1" data-end="\2"', svg
    )
    svg = re.sub(r'class="(?:node|edge) (\w+)"', r'data-part="\1"', svg)
    width = re.search(r'<svg[^>]* width="(\d+)(pt)?', svg)
    points = int(width[1]) * (1 if width[2] else 0.75) if width else 0
    scale = SMALLEST if points * SMALLEST <= FRAME else SCROLLED
    svg = svg.replace("<svg", f'<svg style="min-width:{points * scale:.0f}pt"', 1)
    for sign in "%#\n":
        svg = svg.replace(sign, f"%{ord(sign):02X}")
    svg = svg.replace("&", "&amp;").replace("'", "&#x27;")
    return f"data:image/svg+xml;charset=utf-8,{svg}"


def table(trace: Trace) -> str:
    """Return the finished graph as a table, if it can't be drawn."""
    final = final_lines(trace)
    names = [trace.text(name) for name in trace.names]
    made_from = {
        i: ", ".join(
            f"{names[e.used]} {final[name][0]}" for name, e in trace.edges_of(i)
        )
        for i in range(len(trace.nodes))
    }
    rows = "".join(
        f'<tr data-part="n{i}"><th scope="row">{escape(label_of(node))}</th>'
        f"<td>{escape(made_from[i])}</td><td>{value}</td><td>{gradient}</td></tr>\n"
        for i, node in enumerate(trace.nodes)
        for value, gradient in [final[f"n{i}"]]
    )
    columns = ("Node", "Made from, with slopes", "Value", "Gradient")
    head = "".join(f'<th scope="col">{column}</th>' for column in columns)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table>"
