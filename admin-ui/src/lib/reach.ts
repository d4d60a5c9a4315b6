import { getStartUpGetUrl } from '../generated/client/session/session';

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

/** Runs when the page has nothing else to do. */
export function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: 5000 });
  else setTimeout(run, 2000);
}
