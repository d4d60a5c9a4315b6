/**
 * Runs `task` at most once at a time; calls that come meanwhile are one more run afterwards. A burst of
 * events costs two readings, and the last one is never older than the last event.
 */
export function coalesced(task: () => Promise<unknown>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let again = false;
  return () => {
    if (running) {
      again = true;
      return running;
    }
    running = (async () => {
      try {
        do {
          again = false;
          await task();
        } while (again);
      } finally {
        running = undefined;
      }
    })();
    return running;
  };
}
