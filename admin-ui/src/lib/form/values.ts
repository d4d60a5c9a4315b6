import type { ApiError } from '../http';

/**
 * The values of a form over the ones it began with (the base), wherever they are: in antd's inputs
 * (`useInputs`) or in a draft (`useDraft`).
 */
export interface FormValues<V> {
  /** Something differs from the base, as of this render. */
  dirty: boolean;
  /** The same, including input since the last rendering. */
  differs: () => boolean;
  /** The newest values. */
  read: () => V;
  base: () => V;
  /** Starts again from a base; `values` are edits on top of it. */
  begin: (base: V, values?: V) => void;
  /** Makes the edited values the base. */
  accept: () => void;
  /** Whether the values can be sent; otherwise shows the faults and goes to the first one. */
  check: () => Promise<boolean>;
  /**
   * Shows refused fields at their inputs.
   * @returns the keys that have no input
   */
  refuse: (failure: ApiError) => readonly string[];
  /** Goes to the first field at fault. */
  focusFault: () => void;
}
