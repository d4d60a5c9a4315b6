/** As in scripts/worker.js. */
const CACHE = 'pult';

/**
 * Installs the service worker, or takes it away where the service wants none. A newer one takes over with
 * this load: files are told apart by the hash in their names, so it serves pages of the release before just
 * as well. Over plain http in the house browsers know none, and nothing needs it.
 */
export async function serviceWorker(wanted: boolean): Promise<void> {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return;
  if (wanted) {
    const registration: ServiceWorkerRegistration | undefined = await navigator.serviceWorker.register(
      '/sw.js',
      { updateViaCache: 'none' },
    );
    registration?.waiting?.postMessage('take-over');
    return;
  }
  for (const registration of await navigator.serviceWorker.getRegistrations())
    await registration.unregister();
  await caches.delete(CACHE);
}
