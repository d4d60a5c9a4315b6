import { useTranslation } from 'react-i18next';
import { RefSelect } from '../fields/RefSelect';
import { labelOf } from '../fields/labels';
import { usePage } from '../navigation';
import type { NestedPageProps } from './pageProps';
import { ResourcePage } from './ResourcePage';
import type { Row } from './useResourceForm';

/** A resource below another one: the row above is chosen first and stands in the address, as `/{id}`. */
export function NestedPage<R = Row>({ parent, parentId, ...page }: NestedPageProps<R>) {
  const { t } = useTranslation();
  const { path, open } = usePage();
  const id = path[0];
  const choice = (
    <RefSelect
      resource={parent}
      aria-label={labelOf(page.resource, parentId)}
      value={id}
      onChange={(chosen: string) => open(chosen)}
    />
  );
  if (id === undefined)
    return (
      <>
        {choice}
        <p>{t(`${page.resource}.choose`)}</p>
      </>
    );
  return <ResourcePage {...page} key={id} below={id} params={{ [parentId]: id }} actions={choice} />;
}
