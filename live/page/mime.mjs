// Shows an output in its richest form, in the markup of static outputs.
import { markdown, typeset } from "./markdown.mjs";

let drawings = 0;

const FORMS = {
  "text/html": (text) => html("text_html", text),
  "image/svg+xml": svg,
  "image/png": (data, about) => image("image/png", data, about),
  "image/jpeg": (data, about) => image("image/jpeg", data, about),
  "text/markdown": (text) => typeset(html("text_markdown", markdown(text))),
  "text/latex": (text) => typeset(html("text_markdown", markdown(text))),
  "application/javascript": (text) => html("text_html", `<script>${text}</script>`),
  "text/plain": plain,
};

// number: the cell's, to describe a picture that does not describe itself.
export function shown({ data, metadata = {} }, number) {
  for (const [kind, form] of Object.entries(FORMS)) {
    if (data[kind] === undefined) continue;
    return form(joined(data[kind]), { ...metadata[kind], number, plain: data["text/plain"] });
  }
  return plain(JSON.stringify(data));
}

function joined(value) {
  return Array.isArray(value) ? value.join("") : value;
}

function html(name, text) {
  const box = document.createElement("div");
  box.className = `output ${name}`;
  box.innerHTML = text;
  return box;
}

function plain(text) {
  const box = textBox("text_plain");
  box.querySelector("pre").textContent = text;
  return box;
}

export function textBox(name) {
  const box = document.createElement("div");
  box.className = `output ${name}`;
  box.innerHTML = '<div class="highlight"><pre></pre></div>';
  return box;
}

function image(kind, data, { number, alt, width, height }) {
  const box = html("image", "");
  const picture = new Image();
  picture.src = `data:${kind};base64,${data.replace(/\s/g, "")}`;
  picture.alt = alt ?? `Picture made by cell ${number}`;
  if (width) picture.width = width;
  if (height) picture.height = height;
  // Figures come with two dots for each of the page, to be sharp.
  else if (kind === "image/png") picture.srcset = `${picture.src} 2x`;
  box.append(picture);
  return box;
}

// A drawing becomes part of the page and its theme; its ids must be unique.
function svg(text, { number }) {
  const box = html("image_svg", text.slice(Math.max(text.indexOf("<svg"), 0)));
  const root = box.querySelector("svg");
  if (!root) return plain(text);
  const prefix = `live${++drawings}-`;
  for (const element of box.querySelectorAll("*")) {
    if (element.id) element.id = prefix + element.id;
    for (const attribute of element.attributes) {
      const href = /^(xlink:)?href$/.test(attribute.name) && attribute.value.startsWith("#");
      if (href) attribute.value = `#${prefix}${attribute.value.slice(1)}`;
      else attribute.value = attribute.value.replace(/url\(#/g, `url(#${prefix}`);
    }
  }
  root.classList.add("book-svg");
  root.setAttribute("role", "img");
  if (!root.hasAttribute("aria-label")) root.setAttribute("aria-label", `Drawing made by cell ${number}`);
  return box;
}
