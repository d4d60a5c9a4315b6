import type { ReactNode } from 'react';
import type { Fields } from '../fields/kinds';
import type { Row } from './useResourceForm';

/** Rows per page. */
export const PAGE_SIZE = 40;

export interface Column {
  key: string;
  title?: ReactNode;
  render?: (row: Row) => ReactNode;
  align?: 'left' | 'right';
  width?: number;
  /** Left out where there is little room: of the cards on phones, of tables below 1200 px. */
  wideOnly?: boolean;
}

export interface ResourceListProps {
  resource: string;
  fields: Fields;
  /** Names of fields, or columns of the screen's own. The first one is the link to the row. */
  columns: readonly (string | Column)[];
  /** Fields with a filter above the list; the document must have a parameter of the name. */
  filters?: readonly string[];
  /** Address of a row; none: rows, or this one, are not opened. */
  href?: (row: Row) => string | undefined;
  onOpen?: (row: Row) => void;
  onNew?: () => void;
  params?: Record<string, unknown>;
  title?: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  /** Buttons at the end of each row. */
  rowActions?: (row: Row) => ReactNode;
  /** How a row is called in announcements and when it is sorted by hand. */
  nameOf?: (row: Row) => string;
}
