/** The sound repeats this often while an unaccepted order is listed. */
export const REPEAT_MS = 30_000;
/** A burst of orders is one ring: the bell is not struck while it still sounds. */
export const GAP_MS = 2500;

/**
 * The schedule of the bell: at once when an order arrives or ringing becomes possible, then every 30 s while
 * an order waits. Independent of sound and orders, for tests.
 */
export class BellSchedule {
  #ring: () => void;
  #announced: ReadonlySet<string> = new Set();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last = Number.NEGATIVE_INFINITY;

  constructor(ring: () => void) {
    this.#ring = ring;
  }

  /** The orders that wait now. Nobody listens (sound off, another tab rings): an empty set. */
  update(waiting: ReadonlySet<string>): void {
    const fresh = [...waiting].some((id) => !this.#announced.has(id));
    this.#announced = new Set(waiting);
    if (waiting.size === 0) return this.stop();
    if (!fresh) return;
    const wait = this.#last + GAP_MS - Date.now();
    if (wait > 0) this.#in(wait);
    else this.#now();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#announced = new Set();
  }

  #now(): void {
    this.#last = Date.now();
    this.#ring();
    this.#in(REPEAT_MS);
  }

  #in(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#now(), ms);
  }
}
