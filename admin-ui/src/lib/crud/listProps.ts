import type { ReactNode } from 'react';
import type { ResourceName } from '../../generated/resources.gen';
import type { Fields } from '../fields/kinds';
import type { Row } from './useResourceForm';

/** Rows per page. */
export const PAGE_SIZE = 40;

/** A column of a list; `R` is the type of its rows, as the service answers them. */
export interface Column<R = Row> {
  key: string;
  title?: ReactNode;
  render?: (row: R) => ReactNode;
  align?: 'left' | 'right';
  width?: number;
  /** Left out where there is little room: of the cards on phones, of tables below 1200 px. */
  wideOnly?: boolean;
}

export interface ResourceListProps<R = Row> {
  resource: ResourceName;
  fields: Fields;
  /** Names of fields, or columns of the screen's own. The first one is the link to the row. */
  columns: readonly (string | Column<R>)[];
  /** Fields with a filter above the list; the document must have a parameter of the name. */
  filters?: readonly string[];
  /** What the service takes where a filter is not chosen: it is shown as chosen, and does not stand in the address. */
  filterDefaults?: Readonly<Record<string, string>>;
  /** From the last key until the list is searched, where that is not as usual. ms */
  searchPause?: number;
  /** Address of a row; none: rows, or this one, are not opened. */
  href?: (row: R) => string | undefined;
  onOpen?: (row: R) => void;
  onNew?: () => void;
  params?: Record<string, unknown>;
  /** After how long the rows are read again by themselves; none: as the service tells of changes. ms */
  refreshMs?: number;
  title?: ReactNode;
  lead?: ReactNode;
  /** Said above the rows. */
  notice?: ReactNode;
  actions?: ReactNode;
  /** Buttons at the end of each row. */
  rowActions?: (row: R) => ReactNode;
  /** How a row is called in announcements and when it is sorted by hand. */
  nameOf?: (row: R) => string;
}
