import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import type { Me } from '../../generated/model';
import { isAllowed } from '../../lib/access';
import { GROUPS } from '../../lib/features';
import { useFormat } from '../../lib/format';
import { useMenu } from '../../lib/menu';
import { useRestaurant } from '../../lib/target';
import { Card } from '../../lib/ui/page';
import type { Draft } from './draft';
import { effective } from './rights';
import type { Tree } from './tree';

/** What this person sees: the side menu as it would be here with the rights of the form. */
export function MenuPreview({ draft, tree }: { draft: Draft; tree: Tree }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const { partner_id, id } = useRestaurant();
  const permissions = effective(tree, draft.permissions, draft.full_target_access);
  const account = {
    super_admin: false,
    targets: [{ partner_id, restaurant_ids: null, permissions, target_type: draft.target_type }],
  } as unknown as Me;
  const all = useMenu((...keys) => isAllowed(account, { partner_id, id }, keys));
  const groups = GROUPS.map((group) => ({ group, screens: all.filter((f) => f.group === group) })).filter(
    (g) => g.screens.length > 0,
  );
  const inAdmin = draft.surfaces.includes('admin') && permissions.includes('admin_login');
  if (!inAdmin) {
    return (
      <Card title={t('users.preview')}>
        {draft.surfaces.includes('admin') ? (
          <Alert type="warning" showIcon title={t('users.preview_no_login')} />
        ) : (
          <p className="edit-lead">{t('users.preview_no_admin')}</p>
        )}
      </Card>
    );
  }
  return (
    <Card title={t('users.preview')}>
      <p className="edit-lead">{t('users.preview_text')}</p>
      <div className="menu-preview" role="group" aria-label={t('users.preview')} tabIndex={0}>
        {groups.length === 0 && <p>{t('users.preview_empty')}</p>}
        {groups.map(({ group, screens }) => (
          <div key={group}>
            {screens.length > 1 && <p className="menu-preview-group">{t(`menu.${group}`)}</p>}
            <ul>
              {screens.map((f) => (
                <li key={f.key}>
                  <f.icon aria-hidden="true" /> {f.title[language]}
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </Card>
  );
}
