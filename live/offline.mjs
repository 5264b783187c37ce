// Keeps what a live page uses, so that it works again without network.

const PATIENCE = 3000;

// Returns when the service worker listens; a page works without one as well.
export async function keepForLater({ code, pyodide, notebook }) {
  if (!navigator.serviceWorker) return;
  try {
    const root = new URL("../..", code);
    await registered(root);
    await Promise.race([listening(), new Promise((done) => setTimeout(done, PATIENCE))]);
    // The page itself was loaded before anybody listened.
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

export function registered(root) {
  const { pathname } = new URL(root);
  return navigator.serviceWorker.register(new URL("service-worker.js", root), { scope: pathname });
}

function listening() {
  const container = navigator.serviceWorker;
  if (container.controller) return Promise.resolve();
  return new Promise((done) => container.addEventListener("controllerchange", done, { once: true }));
}
