// Keeps the files that a live page uses, so that it works again without a network.

const PATIENCE = 3000;

// Returns when the service worker listens, or takes too long: a page works without it.
export async function keepForLater({ code, pyodide, notebook }) {
  if (!navigator.serviceWorker) return;
  try {
    const root = new URL("../..", code);
    const listens = registered(root).then(listening);
    await Promise.race([listens, new Promise((done) => setTimeout(done, PATIENCE))]);
    // The page itself was loaded before the worker listened.
    const loaded = performance.getEntriesByType("resource").map((entry) => entry.name);
    const pages = [location.href, notebook.href, ...loaded];
    navigator.serviceWorker.controller?.postMessage({
      keep: pages.filter((address) => address.startsWith(root.href)),
      current: [code.href, pyodide.href],
    });
  } catch {
    // Not allowed here, as in some private windows.
  }
}

// Registering again would wait for an update under way, which Chromium may never end if
// the page that began it was closed.
export async function registered(root) {
  const { href, pathname } = new URL(root);
  const old = await navigator.serviceWorker.getRegistration(href);
  if (old?.scope === href) return;
  await navigator.serviceWorker.register(new URL("service-worker.js", root), { scope: pathname });
}

function listening() {
  const container = navigator.serviceWorker;
  if (container.controller) return Promise.resolve();
  return new Promise((done) => container.addEventListener("controllerchange", done, { once: true }));
}
