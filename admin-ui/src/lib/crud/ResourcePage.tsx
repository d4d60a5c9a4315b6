import { type ReactNode, Suspense, useEffect, useState } from 'react';
import type { FieldProps } from '../fields/Field';
import type { Fields } from '../fields/kinds';
import { isWord } from '../features';
import { usePage, usePageUrl } from '../navigation';
import { later } from '../later';
import { whenIdle } from '../reach';
import type { Layout } from './ResourceForm';
import type { ResourceListProps } from './listProps';
import { ResourceList } from './ResourceList';
import type { ResourceFormOptions, Row } from './useResourceForm';

const load = () => import('./ResourceEditor');
const ResourceEditor = later(load, 'over');

export interface ResourcePageProps extends Omit<ResourceListProps, 'href' | 'onOpen' | 'onNew'> {
  fields: Fields;
  /** Order and groups of the form's fields. */
  form?: Layout;
  overrides?: Partial<Record<string, Partial<FieldProps>>>;
  initial?: Row;
  /** Fields that cannot be changed once the row is there. */
  fixed?: readonly string[];
  /** How a row is removed, where "delete" would not say what happens; `done` is said afterwards. */
  removal?: (name: string) => { verb: string; title: string; effect: string; done: string };
  toBody?: ResourceFormOptions['toBody'];
  /** After a creation, before the drawer closes: return true to keep it open (a secret to show). */
  onCreated?: (row: Row) => void;
  /** Whether a row can be opened; unless said, each can. */
  opens?: (row: Row) => boolean;
  /** Title of the drawer. */
  nameOf?: (row: Row) => string;
  /** A button for the history of a row. */
  history?: boolean;
  formExtra?: (row: Row | undefined) => ReactNode;
  /** Id of the row above, which stands first in the address of a nested resource. */
  below?: string;
}

/** A plain resource whole: the list, and behind `/new` or `/{id}` its form in a drawer over the list. */
export function ResourcePage(props: ResourcePageProps) {
  const { feature, path, open } = usePage();
  const url = usePageUrl();
  const [generation, setGeneration] = useState(0);
  const { below } = props;
  const at = path[below === undefined ? 0 : 1];
  const within = (sub?: string) => [below, sub].filter(Boolean).join('/') || undefined;
  const isNew = isWord('new', at);
  // The list stands first; its form is there before a row is chosen.
  useEffect(() => whenIdle(() => void load().catch(() => undefined)), []);
  return (
    <>
      <ResourceList
        {...props}
        href={(row) =>
          props.opens?.(row) === false ? undefined : url(feature!.key, within(row.id)) + location.search
        }
        onOpen={(row) => open(within(row.id))}
        onNew={() => open(within('new'))}
      />
      <Suspense>
        {at && (
          <ResourceEditor
            key={isNew ? `new-${generation}` : at}
            {...props}
            id={isNew ? undefined : at}
            close={() => open(within())}
            again={() => setGeneration((g) => g + 1)}
          />
        )}
      </Suspense>
    </>
  );
}
