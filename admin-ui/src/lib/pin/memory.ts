/** Without input for so long the PIN is asked for again. ms */
export const IDLE_MS = 5 * 60_000;

/**
 * The own PIN, in memory only. It is gone once nobody has touched the page for `idle`: by a timer, and with the
 * first input after that, because timers stand still while a computer sleeps.
 */
export class PinMemory {
  #pin: string | undefined;
  #touched = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #told = new Set<() => void>();
  readonly #idle: number;

  constructor(idle: number = IDLE_MS) {
    this.#idle = idle;
  }

  get = (): string | undefined => this.#pin;

  subscribe = (told: () => void): (() => void) => {
    this.#told.add(told);
    return () => void this.#told.delete(told);
  };

  hold = (pin: string): void => {
    this.#touched = Date.now();
    this.#put(pin);
  };

  drop = (): void => this.#put(undefined);

  /** Somebody is there; whoever comes too late finds no PIN. */
  touch = (): void => {
    if (this.#pin === undefined) return;
    if (Date.now() - this.#touched >= this.#idle) return this.drop();
    this.#touched = Date.now();
    this.#wait();
  };

  #wait(): void {
    clearTimeout(this.#timer);
    this.#timer = this.#pin === undefined ? undefined : setTimeout(this.drop, this.#idle);
  }

  #put(pin: string | undefined): void {
    const changed = pin !== this.#pin;
    this.#pin = pin;
    this.#wait();
    if (changed) for (const told of this.#told) told();
  }
}
