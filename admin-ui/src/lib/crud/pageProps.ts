import type { ReactNode } from 'react';
import type { FieldProps } from '../fields/Field';
import type { Fields } from '../fields/kinds';
import type { ResourceListProps } from './listProps';
import type { Layout, Removal } from './ResourceForm';
import type { ResourceFormOptions, Row } from './useResourceForm';

export interface ResourcePageProps<R = Row> extends Omit<ResourceListProps<R>, 'href' | 'onOpen' | 'onNew'> {
  fields: Fields;
  /** Order and groups of the form's fields. */
  form?: Layout;
  overrides?: Partial<Record<string, Partial<FieldProps>>>;
  initial?: Row;
  /** Fields that cannot be changed once the row is there. */
  fixed?: readonly string[];
  /** How a row is removed, where "delete" would not say what happens; `done` is said afterwards. */
  removal?: (name: string, row: R | undefined) => Removal & { done?: string };
  toBody?: ResourceFormOptions['toBody'];
  /** After a creation, before the drawer closes: return true to keep it open (a secret to show). */
  onCreated?: (row: R) => void;
  /** Whether a row can be opened; unless said, each can. */
  opens?: (row: R) => boolean;
  /** Title of the drawer. */
  nameOf?: (row: R) => string;
  /** A button for the history of a row. */
  history?: boolean;
  formExtra?: (row: R | undefined) => ReactNode;
  /** Id of the row above, which stands first in the address of a nested resource. */
  below?: string;
}

export interface NestedPageProps<R> extends ResourcePageProps<R> {
  /** The resource that the rows lie below. */
  parent: string;
  /** The parameter of the path that names its row. */
  parentId: string;
}
