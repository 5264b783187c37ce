"""Let plain Markdown links cite: `[text](../pages/bibliography.md#key)`.

It keeps the author's words, reads well on a code host, and fails the build where the
key is unknown: the keys of the bibliography become anchors of its page, so that
MyST resolves and checks these links as it does links to headings.
"""

from __future__ import annotations

from typing import cast

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinxcontrib.bibtex.domain import BibtexDomain


def offer_keys_as_anchors(app: Sphinx, env: BuildEnvironment) -> None:
    """Add each bibliography's keys to the anchors that MyST knows of its page."""
    domain = cast(BibtexDomain, env.get_domain("cite"))
    for where, bibliography in domain.bibliographies.items():
        anchors = env.metadata[where.docname].setdefault("myst_slugs", {})
        for key, node in bibliography.citation_nodes.items():
            anchors[key] = (0, node["ids"][0], key)
