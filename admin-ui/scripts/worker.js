// The service worker: what it may keep is written in by the build (worker.mjs). It keeps files with a hash in their name and
// the page of the application, so that a click or a reload while the service is away stays inside the application. It never
// keeps an answer of the service, and has nothing to do with the pages of guest TVs and with those outside the application.

/** Files of this release that the application may ask for. */
const FILES = new Set(__FILES__);
/** Those that are fetched ahead. */
const AHEAD = __AHEAD__;
/** The script of the page: by it a page of this release is known. */
const ENTRY = __ENTRY__;

const CACHE = 'pult';
/** Under which the page is kept: it is the same one at every address of the application. */
const PAGE = '/';
/** So long the network has for the page. */
const PATIENCE_MS = 3000;

const isPage = (path) => path === '/' || /^\/(r|platform)(\/|$)/.test(path);
const ofThisRelease = async (response) => response.ok && (await response.clone().text()).includes(ENTRY);

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(tidy()));
// A page that was just loaded says that this one may take over.
self.addEventListener('message', (event) => event.data === 'take-over' && self.skipWaiting());
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (pathname.startsWith('/assets/')) event.respondWith(file(request, pathname));
  else if (request.mode === 'navigate' && isPage(pathname)) event.respondWith(page(event));
});

async function install() {
  const cache = await caches.open(CACHE);
  const response = await fetch(PAGE, { cache: 'no-store' });
  // While a release is rolled out the page may be another's, whose files are not these: next time, then.
  if (!(await ofThisRelease(response))) throw new Error('the page is of another release');
  await Promise.all(
    AHEAD.map(
      async (path) => (await cache.match(path, { ignoreVary: true })) ?? keep(cache, path, await fetch(path)),
    ),
  );
  await cache.put(PAGE, response);
}

async function keep(cache, path, response) {
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  await cache.put(path, response);
}

/** Files of other releases go; pages that are still open get them from the service. */
async function tidy() {
  const cache = await caches.open(CACHE);
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url);
    if (pathname !== PAGE && !FILES.has(pathname)) await cache.delete(request);
  }
}

/** A worker that was taken away serves the pages that are open on: it begins no new store for that. */
const store = async () => ((await caches.has(CACHE)) ? caches.open(CACHE) : undefined);

async function file(request, path) {
  const cache = await store();
  const kept = await cache?.match(path, { ignoreVary: true });
  if (kept) return kept;
  const response = await fetch(request);
  if (cache && response.status === 200 && FILES.has(path)) await cache.put(path, response.clone());
  return response;
}

/** From the network; from what is kept when that takes too long or fails. */
async function page(event) {
  const cache = await store();
  const answer = fetch(event.request);
  event.waitUntil(
    answer
      .then(async (response) => {
        if (cache && (await ofThisRelease(response))) await cache.put(PAGE, response.clone());
      })
      .catch(() => undefined),
  );
  const inTime = Promise.race([
    answer.then((response) => response.clone()),
    new Promise((_, late) => setTimeout(late, PATIENCE_MS)),
  ]);
  const response = await inTime.catch(() => undefined);
  if (response && response.status < 500) return response;
  return (await cache?.match(PAGE, { ignoreVary: true })) ?? response ?? answer;
}
