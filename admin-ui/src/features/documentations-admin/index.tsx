import { useTranslation } from 'react-i18next';
import { fields } from '../../generated/fields/documentations.gen';
import type { DocumentationDetails } from '../../generated/model';
import { ResourceList } from '../../lib/crud';
import { isWord } from '../../lib/features';
import { useFormat } from '../../lib/format';
import { usePage, usePageUrl } from '../../lib/navigation';
import { DocumentationDrawer } from './DocumentationDrawer';

/** Files that everybody who is signed in can download. */
export default function Documentations() {
  const { t } = useTranslation();
  const format = useFormat();
  const { path, open } = usePage();
  const url = usePageUrl();
  const isNew = isWord('new', path[0]);
  return (
    <>
      <ResourceList<DocumentationDetails>
        resource="documentations"
        fields={fields}
        lead={t('documentations.lead')}
        columns={[
          'title',
          'lang',
          'filename',
          {
            key: 'bytes',
            title: t('documentations.bytes'),
            align: 'right',
            render: (row) => format.size(row.bytes),
          },
          'updated_at',
        ]}
        href={(row) => url('documentations_admin', String(row.id))}
        onOpen={(row) => void open(String(row.id))}
        onNew={() => void open('new')}
        nameOf={(row) => row.title}
      />
      {path[0] !== undefined && (
        <DocumentationDrawer key={path[0]} id={isNew ? undefined : path[0]} onClose={() => void open()} />
      )}
    </>
  );
}
