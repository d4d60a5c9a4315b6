/** What the page waits for: answers of the service, and code that is to be shown. */
let open = 0;
let last = 0;

/** Counts among what the page waits for until it is settled. */
export function awaited<T>(promise: Promise<T>): Promise<T> {
  open += 1;
  const over = () => {
    open -= 1;
    last = performance.now();
  };
  promise.then(over, over);
  return promise;
}

/** For how long the page has waited for nothing. ms */
export const quietFor = (): number => (open > 0 ? 0 : performance.now() - last);
