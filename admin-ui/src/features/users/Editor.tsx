import { ArrowLeftOutlined } from '@ant-design/icons';
import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../lib/access';
import { HistoryButton } from '../../lib/crud/History';
import { DraftPage } from '../../lib/form/DraftFrame';
import { usePage } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { Card, PageHeader } from '../../lib/ui/page';
import { DetailsFields } from '../account/DetailsFields';
import '../account/account.css';
import { useEditorRights, usePeople } from './api';
import { Credentials } from './Credentials';
import { KeysLeft } from './KeysLeft';
import { MenuPreview } from './MenuPreview';
import { StatusChip } from './parts';
import { PinCard } from './PinCard';
import { Place } from './Place';
import { Rights } from './Rights';
import { rowLock } from './rights';
import { StatusCard } from './StatusCard';
import type { Tree } from './tree';
import type { Admin } from './types';
import { usePersonForm } from './usePersonForm';
import { Who } from './Who';

/** One person: who, where, what, and what they see. */
export function PersonEditor({ row, tree }: { row: Admin | null; tree: Tree }) {
  const { t } = useTranslation();
  const { open } = usePage();
  const notify = useNotify();
  const can = useCan();
  const rights = useEditorRights();
  const lock = rowLock(rights, row);
  // Of one's own row, name, phone and language stay open.
  const locked = lock !== undefined;
  const mayEdit = !locked || lock === 'users.lock_own';

  const { state, facts } = usePersonForm(row, tree);
  const name = row ? row.name || row.email : t('admins.new');
  const archive = useArchive(row, name, state.clean);

  return (
    <>
      <PageHeader
        title={name}
        mark={row && <StatusChip status={row.status} />}
        lead={row ? row.email : t('users.new_lead')}
        actions={
          <>
            {row && <HistoryButton recordId={row.id} name={name} company={can('system_general@partner')} />}
            <Button icon={<ArrowLeftOutlined />} onClick={() => void open()}>
              {t('users.back')}
            </Button>
          </>
        }
      />
      <DraftPage
        form={state}
        factsOf={facts}
        maySave={mayEdit}
        mayEdit={mayEdit}
        faultLabel={(path) => t([`users.${path}`, `field.${path}`, `details.${path.split('.').at(-1)}`])}
        onSaved={(saved) => {
          if (row) return;
          notify.info(
            t(saved.status === 'invited' ? 'users.created_invited' : 'users.created_active', {
              email: saved.email,
            }),
          );
          void open(saved.id, { replace: true });
        }}
        onRemove={row && !locked ? () => void archive() : undefined}
      >
        {lock && <Alert type="info" showIcon title={t(lock)} />}
        <div className="edit-grid">
          <div className="edit-main">
            <Who state={state} locked={locked} own={lock === 'users.lock_own'} />
            <Place state={state} editor={rights} locked={locked} />
            <Rights state={state} tree={tree} editor={rights} locked={locked} />
            <Credentials state={state} locked={locked} />
            <Card title={t('details.title')}>
              <DetailsFields value={state.draft} set={state.set} />
            </Card>
          </div>
          <div className="edit-side users-side">
            {row && <StatusCard row={row} editor={rights} locked={locked} />}
            {row && row.status !== 'archived' && <PinCard row={row} locked={locked} />}
            <MenuPreview draft={state.draft} tree={tree} />
          </div>
        </div>
      </DraftPage>
    </>
  );
}

/** Archives the person after a question; `clean` forgets what was typed. */
function useArchive(row: Admin | null, name: string, clean: () => void) {
  const { t } = useTranslation();
  const { open } = usePage();
  const notify = useNotify();
  const people = usePeople();
  return async () => {
    if (!row) return;
    try {
      const keys = await people.keys(row.id);
      let revoked: string[] = [];
      const sure = await notify.confirm({
        title: t('users.archive_ask', { name }),
        effect: (
          <>
            <p>{t('users.archive_effect')}</p>
            {keys.length > 0 && <KeysLeft keys={keys} onChange={(ids) => (revoked = ids)} />}
          </>
        ),
        verb: t('users.archive'),
      });
      if (!sure) return;
      await people.archive(row.id, revoked);
      clean();
      people.forget(row.id);
      await open('', { replace: true });
      notify.success(t('state.deleted', { name }));
      await people.refresh();
    } catch (error) {
      notify.problem(error);
    }
  };
}
