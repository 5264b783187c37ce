// Formulas for screen readers of PDFs. Each becomes an image that describes itself on one
// line, with words for what stands above or below. MathJax draws letters that are no text
// of the page, and Chromium tags text only: an invisible box behind them gets them a tag.
() => {
  const ABOVE = { "¯": "bar", "˙": "dot", "^": "hat" };
  const NAMES = { "∑": "sum" };
  const APART = /^[=+−<>≈→←↦⋅×÷±⊙]$/u;
  const CLOSE = { "′": "prime", "″": "double prime", "‴": "triple prime" };

  const tidy = (text) =>
    text
      .trim()
      .replace(/\s+/g, " ")
      .replace(/ ([)\].,;])/g, "$1")
      .replace(/(^|[([,=] ?)− /g, "$1−");
  const all = (node) => [...node.children].map(spoken);
  const texts = (node) => all(node).map(tidy);
  const grouped = (text) => (/^(.|[\p{L}\p{N}.∂_]+)$/u.test(text) ? text : `(${text})`);

  const FORMS = {
    mi: ({ textContent: name }) => (name.length > 1 && !/\p{M}/u.test(name) ? ` ${name} ` : name),
    mo: ({ textContent: sign }) => {
      if (APART.test(sign)) return ` ${sign} `;
      return { "\u2061": "", ",": ", ", "∑": " sum " }[sign] ?? sign;
    },
    mtext: (node) => ` ${node.textContent} `,
    mfrac: (node) => texts(node).map(grouped).join("/"),
    msqrt: (node) => ` square root of ${grouped(tidy(all(node).join("")))} `,
    msup: (node) => raised(...texts(node)),
    msub: (node) => `${texts(node).map(grouped).join("_")} `,
    msubsup: (node) => {
      const [base, below, above] = texts(node);
      return raised(`${grouped(base)}_${grouped(below)}`, above);
    },
    mover: (node) => {
      const [base, above] = texts(node);
      return ABOVE[above] ? ` ${base} ${ABOVE[above]} ` : ` ${base} with ${above} above `;
    },
    munder: (node) => {
      const [base, below] = texts(node);
      return ` ${NAMES[base] ?? base} over ${below} of `;
    },
    mtr: (node) => `${texts(node).join(", ")}; `,
  };

  function spoken(node) {
    if (node.localName in FORMS) return FORMS[node.localName](node);
    return node.children.length ? all(node).join("") : node.textContent;
  }

  function raised(base, above) {
    const marks = [...above];
    if (marks.every((mark) => CLOSE[mark])) return ` ${base} ${marks.map((m) => CLOSE[m]).join(" ")} `;
    return `${base.includes("_") ? base : grouped(base)}^${grouped(above)} `;
  }

  for (const formula of document.querySelectorAll("article mjx-container")) {
    const letters = formula.querySelector("mjx-math");
    letters.removeAttribute("aria-hidden");
    letters.setAttribute("role", "img");
    letters.setAttribute("aria-label", `Formula: ${tidy(spoken(formula.querySelector("math")))}`);
    letters.style.background = "rgb(255 255 255 / 1%)";
  }
}
