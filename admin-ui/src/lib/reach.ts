import { getStartUpGetUrl } from '../generated/client/session/session';
import { Store } from './events';
import { quietFor } from './underWay';

/** Whether the service answers now. */
export async function answers(): Promise<boolean> {
  try {
    return (await fetch(getStartUpGetUrl(), { cache: 'no-store', signal: AbortSignal.timeout(5000) })).ok;
  } catch {
    return false;
  }
}

/** Reloads the page only when the service answers, so the browser's error page never appears. */
export async function reloadIfAnswered(): Promise<void> {
  if (await answers()) location.reload();
}

const RELOADED_KEY = 'pult.reloaded';
/** Whether the page may reload itself: not repeatedly for a fault that reloading does not fix. */
export function mayReload(): boolean {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED_KEY) ?? 0) < 60_000) return false;
  sessionStorage.setItem(RELOADED_KEY, String(Date.now()));
  return true;
}

/** Code that could not be loaded: the service is away, or the file is of a release that is gone. */
export const isUnloaded = (error: unknown): error is Error =>
  error instanceof Error && /dynamically imported module|module script|preload CSS/i.test(error.message);

/** So long the page waits for nothing until it counts as standing: an answer may ask for the next thing. ms */
const QUIET_MS = 500;
/** What hangs for longer does not keep the rest away. ms */
const PATIENCE_MS = 15_000;
const nextIdle = (run: () => void) =>
  'requestIdleCallback' in window ? requestIdleCallback(run, { timeout: 5000 }) : setTimeout(run);

/** Whether the page has stood once since it was loaded. */
export const standing = new Store(false);

/** Runs when the page stands and has nothing else to do: on a slow line nothing comes before what it shows. */
export function whenIdle(run: () => void): void {
  const begun = performance.now();
  const look = () => {
    if (quietFor() < QUIET_MS && performance.now() - begun < PATIENCE_MS)
      return void setTimeout(() => nextIdle(look), QUIET_MS);
    // Requests up to the mark are what the page needs; the browser tests count them.
    if (!standing.get()) performance.mark('pult.standing');
    standing.set(true);
    run();
  };
  setTimeout(() => nextIdle(look), QUIET_MS);
}
