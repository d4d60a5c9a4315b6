import { useEffect, useState } from 'react';
import { isWord } from '../features';
import { usePage, usePageUrl } from '../navigation';
import { later } from '../later';
import { whenIdle } from '../reach';
import type { ResourcePageProps } from './pageProps';
import { ResourceList } from './ResourceList';
import type { Row } from './useResourceForm';

const load = () => import('./ResourceEditor');
const ResourceEditor = later(load, 'over');

/** A plain resource whole: the list, and behind `/new` or `/{id}` its form in a drawer over the list. */
export function ResourcePage<R = Row>(typed: ResourcePageProps<R>) {
  // Inside, rows are read by the names of their fields.
  const props = typed as unknown as ResourcePageProps;
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
      {at && (
        <ResourceEditor
          key={isNew ? `new-${generation}` : at}
          {...props}
          id={isNew ? undefined : at}
          close={() => open(within())}
          again={() => setGeneration((g) => g + 1)}
        />
      )}
    </>
  );
}
