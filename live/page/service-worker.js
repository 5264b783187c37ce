// Keeps the files of live pages for offline use, and serves the book to readers who keep
// it whole. It is installed when a page is made live or the book is kept, not before.

const STORE = "autograd-live";
const SHELF = "autograd-book"; // filled by shelf.mjs
const ALONE = "autograd-book"; // the lock under which it does so
// These names change with their content, so a kept file is always current.
const LASTING = /\/live\/(code|pyodide)-[^/]+\//;

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const own = request.url.startsWith(registration.scope);
  if (request.method !== "GET" || !own || request.headers.has("range")) return;
  if (request.cache === "no-store") return; // shelf.mjs wants what the network has
  event.respondWith(LASTING.test(request.url) ? kept(event) : fresh(event));
});

async function kept(event) {
  const store = await caches.open(STORE);
  const { url } = event.request;
  return (await store.match(url)) ?? (await shelved(url)) ?? fetched(store, event);
}

async function fresh(event) {
  const { request } = event;
  const store = await caches.open(STORE);
  try {
    return await fetched(store, event);
  } catch (error) {
    const ignoreSearch = request.mode === "navigate";
    const old = (await shelved(request.url)) ?? (await store.match(request.url, { ignoreSearch }));
    if (old) return old;
    if (request.mode === "navigate") return missing(store);
    throw error;
  }
}

// Lists the kept pages, if a page was not kept and there is no network.
async function missing(store) {
  const kept = (await store.keys()).map(({ url }) => url.split(/[?#]/)[0]);
  const pages = [...new Set(kept)].filter((url) => url.endsWith(".html")).sort();
  const links = pages.map((url) => {
    const name = url.slice(registration.scope.length).replace(/\.html$/, "");
    return `<li><a href="${url}">${name}</a></li>`;
  });
  const text = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>This page is not kept</title>
<style>body { font: 1.1rem/1.5 sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem; }
:root { color-scheme: light dark; }</style></head><body><main><h1>This page is not kept</h1>
<p>There is no network, and this browser has not kept the page. It has kept these:</p>
<ul>${links.join("\n")}</ul>
<p>With a network, <em>Keep it offline</em>, at the foot of each page, keeps all of them.</p>
</main></body></html>`;
  return new Response(text, { status: 503, headers: { "Content-Type": "text/html; charset=utf-8" } });
}

async function fetched(store, event) {
  const { request } = event;
  const [answer, here] = await Promise.all([fetch(request), shelved(request.url)]);
  if (answer.status === 200 && !here) {
    const copy = answer.clone();
    event.waitUntil(store.put(request.url, copy).catch(() => {})); // no room: then not
  }
  return answer;
}

// Returns a file of the book that is kept whole, or undefined.
async function shelved(address) {
  const on = (name) => caches.match(`${registration.scope}live/shelf/${name}`, { cacheName: SHELF });
  const list = await on("kept");
  if (!list) return undefined;
  const name = decodeURI(address.slice(registration.scope.length).split(/[?#]/)[0]);
  const [, digest] = (await list.json()).files[name.replace(/(^|\/)$/, "$1index.html")] ?? [];
  return digest && on(digest);
}

// A page names the files that it loaded before this worker listened, and current folders.
addEventListener("message", (event) => {
  if (event.data.keep) event.waitUntil(navigator.locks.request(ALONE, () => keep(event.data)));
});

async function keep({ keep: addresses, current }) {
  const store = await caches.open(STORE);
  for (const { url } of await store.keys()) {
    const old = LASTING.test(url) && !current.some((start) => url.startsWith(start));
    if (old) await store.delete(url);
  }
  await Promise.all(addresses.map(async (address) => {
    const url = address.split("#")[0];
    const here = (await store.match(url)) ?? (await shelved(url));
    if (!here) await store.add(url).catch(() => {});
  }));
}
