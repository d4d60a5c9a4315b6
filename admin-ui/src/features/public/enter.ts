/** The application is fetched while the visitor types. */
let application: Promise<typeof import('../../app/start')> | undefined;
export const preload = () => (application ??= import('../../app/start'));

/** Starts the application in place, at the address that was wanted. */
export async function enter(root: HTMLElement, to: string): Promise<void> {
  const app = await preload();
  history.replaceState(null, '', to);
  root.replaceChildren();
  await app.start(root);
}
