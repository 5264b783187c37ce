// Keeps the whole book, each file by a digest of its content: an interrupted download goes
// on where it stopped, and of a new edition only changed files are loaded.
//
//   live/shelf/<digest>   a file
//   live/shelf/wanted     the list of what is being loaded
//   live/shelf/kept       the list of the complete edition, which the service worker serves
import { registered } from "./offline.mjs";

const SHELF = "autograd-book";
const VISITED = "autograd-live";
const ALONE = "autograd-book"; // a lock, of service-worker.js too
const AT_ONCE = 6;
const on = (root) => (name) => new URL(`live/shelf/${name}`, root).href;

// root: the address of the book; python: whether to keep that too; stop: an AbortController;
// say: takes the bytes that are here and the total. Waits for another tab that keeps the
// book, and for a visited page that still stores files: so nothing is loaded twice.
export function keep({ root, python, stop, say }) {
  const { signal } = stop;
  return navigator.locks.request(ALONE, { signal }, () => keepAll({ root, python, stop, say }));
}

async function keepAll({ root, python, stop, say }) {
  const at = on(root);
  await registered(root);
  navigator.storage?.persist?.();
  const { book, python: more, ...about } = await listed(root, stop.signal);
  const files = { ...book, ...(python ? more : {}) };
  const wanted = { ...about, python, files };
  const shelf = await caches.open(SHELF);
  await shelf.put(at("wanted"), Response.json(wanted));

  const here = new Set((await shelf.keys()).map(({ url }) => url));
  const all = new Map(Object.entries(files).map(([name, [size, digest]]) => [digest, { name, size }]));
  const sum = (some) => some.reduce((total, [, { size }]) => total + size, 0);
  const missing = [...all].filter(([digest]) => !here.has(at(digest)));
  const total = sum([...all]);
  let done = total - sum(missing);
  const count = (bytes) => say(done += bytes, total);
  count(0);
  const next = async () => {
    for (let one; (one = missing.shift()); ) {
      const [digest, { name }] = one;
      await shelf.put(at(digest), await got(new URL(name, root).href, digest, stop.signal, count));
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, next));
  } catch (error) {
    stop.signal.throwIfAborted(); // Chromium calls a body that was cancelled "Failed to fetch".
    stop.abort(); // the others
    throw error;
  }

  await navigator.serviceWorker.ready;
  await shelf.put(at("kept"), Response.json({ ...wanted, since: Date.now() }));
  await tidy(root);
  await forgetVisited(root, files);
}

async function listed(root, signal) {
  const answer = await fetch(new URL("live/offline.json", root), { cache: "no-store", signal });
  if (!answer.ok) throw new Error("the list of the book's files is missing");
  return answer.json();
}

// Returns a file, from the store of visited pages or from the network.
async function got(url, digest, signal, count) {
  signal.throwIfAborted();
  const visited = await caches.match(url, { cacheName: VISITED, ignoreSearch: true });
  if (visited) {
    const bytes = await visited.arrayBuffer();
    if (await digestOf(bytes) === digest) {
      count(bytes.byteLength);
      return response(bytes, visited);
    }
  }
  // The service worker does not answer these requests.
  const answer = await fetch(url, { cache: "no-store", signal });
  if (!answer.ok) throw new Error(`${url} is missing`);
  const counted = answer.body.pipeThrough(new TransformStream({
    transform(part, out) {
      count(part.byteLength);
      out.enqueue(part);
    },
  }));
  const bytes = await new Response(counted).arrayBuffer();
  if (await digestOf(bytes) !== digest) throw new DOMException("another edition", "VersionError");
  return response(bytes, answer);
}

// Without the headers of the transport, and without a redirection.
function response(bytes, { headers }) {
  return new Response(bytes, { headers: { "Content-Type": headers.get("Content-Type") ?? "" } });
}

async function digestOf(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest.slice(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Goes back to the complete edition.
export function leave(root) {
  return navigator.locks.request(ALONE, () => tidy(root));
}

// Removes all files that do not belong to the complete edition.
async function tidy(root) {
  const at = on(root);
  const shelf = await caches.open(SHELF);
  const { files } = await (await shelf.match(at("kept"))).json();
  const current = new Set(["kept", ...Object.values(files).map(([, digest]) => digest)].map(at));
  for (const { url } of await shelf.keys()) {
    if (!current.has(url)) await shelf.delete(url);
  }
}

// The files of visited pages are on the shelf now.
async function forgetVisited(root, files) {
  const store = await caches.open(VISITED);
  for (const request of await store.keys()) {
    const [name] = request.url.slice(root.length).split("?");
    if (name in files) await store.delete(request);
  }
}

// Removes all files that are kept for offline use, and the service worker.
export async function remove(root) {
  await navigator.locks.request(ALONE, () =>
    Promise.all([SHELF, VISITED].map((name) => caches.delete(name))));
  await (await navigator.serviceWorker.getRegistration(root))?.unregister();
}
