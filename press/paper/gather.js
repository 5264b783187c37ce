// A page as it goes into the printed book: laid out for paper, with names of its own and
// links that lead to places in the file. Chromium makes bookmarks and tags of it.
async ({ address, printed, site, part, first }) => {
  dispatchEvent(new Event("beforeprint"));
  await document.fonts.ready;
  const article = document.querySelector("article");
  const own = location.pathname.slice(1);
  for (const one of article.querySelectorAll(".headerlink, script, [hidden]")) one.remove();
  for (const listing of article.querySelectorAll("pre")) listing.role = "code";
  for (const image of article.querySelectorAll("img")) {
    image.src = image.src;
    image.loading = "eager";
  }

  for (const one of article.querySelectorAll("[id]")) one.id = `${own}#${one.id}`;
  article.id = own;
  for (const one of article.querySelectorAll("svg *")) {
    for (const said of one.attributes) {
      said.value = said.value
        .replace(/url\(["']?#([^)"']*)["']?\)/g, `url('#${own}#$1')`)
        .replace(/^#(?=[^#]+$)/, /href$/.test(said.name) ? `#${own}#` : "$&");
    }
  }
  for (const link of article.querySelectorAll("a[href]:not(svg *)")) {
    if (!link.href.startsWith(address)) continue;
    const { pathname, hash } = new URL(link.href);
    const page = pathname.slice(1) || "index.html";
    if (printed.includes(page)) link.setAttribute("href", `#${page}${hash}`);
    else if (site) link.href = site + page + hash;
    else link.removeAttribute("href");
  }

  // Below a part, chapters are of the second level.
  if (part) {
    for (const heading of article.querySelectorAll("h1, h2, h3, h4, h5")) {
      heading.ariaLevel = Number(heading.localName[1]) + 1;
    }
  }
  if (first) {
    const name = document.createElement("p");
    name.className = "book-part";
    name.textContent = part;
    name.role = "heading";
    name.ariaLevel = 1;
    article.prepend(name);
  }
  return article.outerHTML;
}
