// An image of Python's memory, taken when a page is made live for the first time: later
// starts begin with it, and need not compile Python's library again. It never leaves the
// browser, and belongs to one edition of the book and to one version of the browser.

const STORE = "autograd-live";
const address = new URL(`image?${encodeURIComponent(navigator.userAgent)}`, import.meta.url).href;

// Returns the image, or null if there is none, or if storage is not allowed.
export async function kept() {
  try {
    const found = await (await caches.open(STORE)).match(address);
    return found ? new Uint8Array(await found.arrayBuffer()) : null;
  } catch {
    return null;
  }
}

export async function keep(image) {
  try {
    await forget();
    await (await caches.open(STORE)).put(address, new Response(image));
  } catch {
    // No room, or not allowed: then each start is like the first.
  }
}

export async function forget() {
  try {
    await (await caches.open(STORE)).delete(address, { ignoreSearch: true });
  } catch {
    // There is no image.
  }
}
