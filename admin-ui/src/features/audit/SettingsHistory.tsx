import { RollbackOutlined } from '@ant-design/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SettingsGroup } from '../../generated/model';
import { Pages } from '../../lib/crud/listParts';
import { useFormat } from '../../lib/format';
import { liveSocket } from '../../lib/live';
import { useForget, useRead } from '../../lib/query';
import { Button } from '../../lib/ui/Button';
import { SideDrawer } from '../../lib/ui/SideDrawer';
import { useNotify } from '../../lib/ui/notify';
import { EmptyState, QueryFallback } from '../../lib/ui/states';
import { useWork } from '../../lib/ui/work';
import '../../lib/crud/form.css';
import { AuditLines } from './AuditLines';
import { restoredBy, settingsOf, type SettingsLine, type SettingsSource, switchesOf } from './settings';

interface Props {
  group: SettingsGroup;
  /** Of which restaurant a super admin reads the switches and features; else that of the page. */
  restaurant?: string;
  onRestored?: () => void;
  onClose: () => void;
}

/** Who changed the group, what and when; each line leads back to what was before it. */
export default function SettingsHistory({ group, restaurant, onRestored, onClose }: Props) {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const source = restaurant ? switchesOf(restaurant) : settingsOf(group);
  const query = useRead(source.key(page), ({ signal }) => source.read(page, signal), {
    placeholderData: (old) => old,
  });
  const { doing, restore } = useRestore(source, () => {
    setPage(1);
    onRestored?.();
  });
  const title = t('settings_history.title', { name: t(`settings_history.group.${group}`) });
  return (
    <SideDrawer title={title} width={720} onClose={onClose}>
      {!query.data ? (
        <QueryFallback query={query} />
      ) : query.data.rows.length === 0 ? (
        <EmptyState title={t('settings_history.empty')} text={t('settings_history.empty_text')} />
      ) : (
        <>
          <p className="setting-lead">
            {t(
              group === 'features' && !restaurant
                ? 'settings_history.features_text'
                : 'settings_history.text',
            )}
          </p>
          <AuditLines
            rows={query.data.rows}
            actions={(line) => <RestoreButton line={line} doing={doing} restore={restore} />}
          />
          <Pages page={page} total={query.data.total} onChange={setPage} />
        </>
      )}
    </SideDrawer>
  );
}

function RestoreButton({
  line,
  doing,
  restore,
}: {
  line: SettingsLine;
  doing: string | undefined;
  restore: (line: SettingsLine) => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  if (!line.can_restore) return null;
  return (
    <Button
      size="small"
      icon={<RollbackOutlined />}
      loading={doing === line.id}
      disabled={doing !== undefined}
      aria-label={t('settings_history.restore_label', { at: format.dateTime(line.at) })}
      onClick={() => restore(line)}
    >
      {t('settings_history.restore')}
    </Button>
  );
}

/** Returns to what was before a line, after a question. The line that this writes takes it back. */
function useRestore(source: SettingsSource, onDone: () => void) {
  const { t } = useTranslation();
  const format = useFormat();
  const notify = useNotify();
  const forget = useForget();
  const { doing, work } = useWork<string>();
  const reread = () => forget([source.key()]);
  const send = async (line: SettingsLine) => {
    try {
      await source.restore(line);
    } catch (refusal) {
      // Somebody was faster: what they changed stands above the line.
      void reread();
      throw refusal;
    }
    onDone();
    await reread();
    // The service tells every window; this one need not wait for it.
    liveSocket.get()?.events.emit('TASK_RESTAURANT_RELOAD', {});
  };
  const restore = async (line: SettingsLine) => {
    const question = {
      title: t('settings_history.question', { at: format.dateTime(line.at) }),
      effect: t('settings_history.effect'),
      verb: t('settings_history.restore'),
    };
    if (!(await notify.confirm(question))) return;
    await work(async () => {
      const before = await source.read(1);
      await send(line);
      const undo = restoredBy(before.rows, (await source.read(1)).rows);
      if (undo) notify.undo(t('settings_history.restored'), () => send(undo));
      else notify.success(t('settings_history.restored'));
    }, line.id);
  };
  return { doing, restore: (line: SettingsLine) => void restore(line) };
}
