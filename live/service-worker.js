// Keeps what readers of live pages have used, for when there is no network. It comes
// into being when a page is made live for the first time, and not before.

const STORE = "autograd-live";
// These names change with their content, so what was kept is what is there.
const LASTING = /\/live\/(code|pyodide)-[^/]+\//;

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const own = request.url.startsWith(registration.scope);
  if (request.method !== "GET" || !own || request.headers.has("range")) return;
  event.respondWith(LASTING.test(request.url) ? kept(request) : fresh(request));
});

async function kept(request) {
  const store = await caches.open(STORE);
  return (await store.match(request.url)) ?? fetched(store, request);
}

async function fresh(request) {
  const store = await caches.open(STORE);
  try {
    return await fetched(store, request);
  } catch (error) {
    const old = await store.match(request.url, { ignoreSearch: request.mode === "navigate" });
    if (old) return old;
    throw error;
  }
}

async function fetched(store, request) {
  const answer = await fetch(request);
  if (answer.status === 200) {
    const copy = answer.clone();
    store.put(request.url, copy).catch(() => {}); // no room: then not
  }
  return answer;
}

// A page names what it had loaded before this worker listened, and what is current.
addEventListener("message", (event) => {
  if (event.data.keep) event.waitUntil(keep(event.data));
});

async function keep({ keep: addresses, current }) {
  const store = await caches.open(STORE);
  for (const { url } of await store.keys()) {
    const old = LASTING.test(url) && !current.some((start) => url.startsWith(start));
    if (old) await store.delete(url);
  }
  await Promise.all(addresses.map(async (address) => {
    const url = address.split("#")[0];
    if (!(await store.match(url))) await store.add(url).catch(() => {});
  }));
}
