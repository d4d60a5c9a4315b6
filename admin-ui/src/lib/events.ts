/** A small typed emitter, through which code outside React (transport, session, socket) notifies the rest. */
export class Emitter<M extends Record<string, unknown>> {
  #listeners = new Map<keyof M, Set<(value: never) => void>>();

  on<K extends keyof M>(name: K, listener: (value: M[K]) => void): () => void {
    const set = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, set.add(listener));
    return () => void set.delete(listener);
  }

  emit<K extends keyof M>(name: K, value: M[K]): void {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) (listener as (v: M[K]) => void)(value);
  }
}

/** A value outside React that components read with useSyncExternalStore. */
export class Store<T> {
  #value: T;
  #listeners = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get = (): T => this.#value;

  set = (value: T): void => {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of [...this.#listeners]) listener();
  };

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
}
