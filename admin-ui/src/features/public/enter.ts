type Application = typeof import('../../app/start');
let application: Promise<Application> | undefined;

const load = (): Promise<Application> =>
  (application ??= import('../../app/start').catch((error: unknown) => {
    // The code is requested again the next time.
    application = undefined;
    throw error;
  }));

/** The application is fetched while the visitor types. */
export const preload = (): void => void load().catch(() => undefined);

/** Starts the application in place, at the address that was wanted. */
export async function enter(root: HTMLElement, to: string): Promise<void> {
  const app = await load();
  history.replaceState(null, '', to);
  root.replaceChildren();
  await app.start(root);
}
