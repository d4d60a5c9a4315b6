/** The generated description of a resource. */
export interface ResourceInfo {
  /** Path of the collection with its parameters in braces. */
  path: string;
  /** Path of one row. */
  item?: string | undefined;
  /**
   * Where one row is read, when that is not where it is changed: third parties may read what only admins
   * change.
   */
  read?: string | undefined;
  /** Operation -> permission keys, any of which is enough. */
  ops: Readonly<Record<string, readonly string[]>>;
  /** Query parameters of the list; `x[]` takes several values. */
  filters: readonly string[];
  /** Grows without end: always read page by page. Others are read whole. */
  paged?: boolean | undefined;
  /** The service sorts. */
  sort?: boolean | undefined;
  /**
   * All rows of the restaurant in their short form, for pickers: of nested resources, and beyond the screen's
   * own right.
   */
  pickPath?: string | undefined;
  rankPath?: string | undefined;
  /** Member of the body that holds the ids in their new order. */
  rankBody?: string | undefined;
}
