import { useTranslation } from 'react-i18next';
import { secondFactorReset } from '../../generated/client/session/session';
import { fields } from '../../generated/fields/super_admins.gen';
import type { SuperAdmin } from '../../generated/model';
import { type Column, ResourceList } from '../../lib/crud';
import { useFormat } from '../../lib/format';
import { useMe } from '../../lib/me';
import { useForget } from '../../lib/query';
import { Button } from '../../lib/ui/Button';
import { Chip } from '../../lib/ui/page';
import { useNotify } from '../../lib/ui/notify';
import { useWork } from '../../lib/ui/work';

/** The super admins. One takes another's lost second factor away; nobody the own. */
export default function SuperAdmins() {
  const { t } = useTranslation();
  const { ago } = useFormat();
  const me = useMe();
  const notify = useNotify();
  const forget = useForget();
  const { doing: busy, work } = useWork<string>();
  const reset = async (row: SuperAdmin) => {
    if (
      !(await notify.confirm({
        title: t('super_admins.reset_ask', { name: row.name }),
        effect: t('super_admins.reset_effect'),
        verb: t('super_admins.reset'),
      }))
    )
      return;
    await work(async () => {
      try {
        await secondFactorReset(row.id);
        notify.success(t('super_admins.reset_done', { name: row.name }));
      } finally {
        await forget(['super_admins']);
      }
    }, row.id);
  };
  const columns: Column<SuperAdmin>[] = [
    {
      key: 'name',
      render: (row) => (
        <b>
          {row.name}
          {row.id === me.id && ` · ${t('super_admins.you')}`}
        </b>
      ),
    },
    { key: 'email' },
    {
      key: 'second_factor',
      render: (row) =>
        row.second_factor ? (
          <Chip tone="success">{t('super_admins.factor_on')}</Chip>
        ) : (
          <Chip tone="warning">{t('super_admins.factor_off')}</Chip>
        ),
    },
    {
      key: 'last_active_at',
      render: (row) => {
        const at = row.last_active_at;
        return at ? ago(at) : t('super_admins.never');
      },
    },
    { key: 'recovery_codes', wideOnly: true },
  ];
  return (
    <ResourceList
      resource="super_admins"
      fields={fields}
      lead={t('super_admins.lead')}
      columns={columns}
      rowActions={(row) =>
        row.id === me.id || !row.second_factor ? null : (
          <Button
            loading={busy === row.id}
            onClick={() => void reset(row)}
            aria-label={t('super_admins.reset_of', { name: row.name })}
          >
            {t('super_admins.reset')}
          </Button>
        )
      }
    />
  );
}
