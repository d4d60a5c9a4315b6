/** Readings that are under way, by resource. */
const running = new Map<string, Set<Promise<unknown>>>();

/** Notes a reading while it runs. */
export function reading<T>(resource: string, answer: Promise<T>): Promise<T> {
  const all = running.get(resource) ?? new Set();
  running.set(resource, all.add(answer));
  const over = () => void all.delete(answer);
  answer.then(over, over);
  return answer;
}

/**
 * Runs once no reading of the resource that has begun by now is under way. An answer that is on its way may
 * be older than the news, and Refine does not ask again while it waits for one.
 */
export function whenRead(resource: string, run: () => void): void {
  const all = [...(running.get(resource) ?? [])];
  if (all.length === 0) return run();
  // A task later, so that the cache has taken the answer.
  void Promise.allSettled(all).then(() => setTimeout(run));
}
