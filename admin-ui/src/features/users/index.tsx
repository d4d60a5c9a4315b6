import { ArrowLeftOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { isWord } from '../../lib/features';
import { usePage } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { Card, PageHeader } from '../../lib/ui/page';
import { ErrorState, Loading } from '../../lib/ui/states';
import '../categories-and-products/catalogue.css';
import { usePerson, useTree } from './api';
import { PersonEditor } from './Editor';
import { List } from './List';
import './users.css';

/** The list of people, and behind `/new` or `/{id}` the editor of one, a page of its own. */
export default function Users() {
  const { path } = usePage();
  const at = path[0];
  if (!at) return <List />;
  // The word for a new one changes with the language; what was typed stays.
  const id = isWord('new', at) ? undefined : at;
  return <One key={id ?? 'new'} id={id} />;
}

function One({ id }: { id: string | undefined }) {
  const { t } = useTranslation();
  const { open } = usePage();
  const { tree, error, refetch } = useTree();
  const person = usePerson(id);
  const failure = error ?? (person.data ? null : person.error);
  const back = (
    <Button icon={<ArrowLeftOutlined />} onClick={() => void open()}>
      {t('users.back')}
    </Button>
  );
  if (failure)
    return (
      <>
        <PageHeader actions={back} />
        <Card>
          <ErrorState
            error={failure}
            onRetry={() => {
              void refetch();
              void person.refetch();
            }}
          />
        </Card>
      </>
    );
  if (!tree || (id && !person.data))
    return (
      <>
        <PageHeader />
        <Card>
          <Loading rows={10} />
        </Card>
      </>
    );
  return <PersonEditor row={id ? person.data! : null} tree={tree} />;
}
