import { SafetyCertificateOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { type Column, ResourceList } from '../../lib/crud';
import type { Fields } from '../../lib/fields/kinds';
import { useFormat } from '../../lib/format';
import { usePage, usePageUrl } from '../../lib/navigation';
import { Chip } from '../../lib/ui/page';
import { useEditorRights, usePartnerRestaurants, usePeopleResource } from './api';
import { StatusChip } from './parts';
import { type Admin, STATUSES } from './types';

const FIELDS: Fields = {
  name: { kind: 'text' },
  status: { kind: 'select', options: STATUSES },
  last_active_at: { kind: 'datetime' },
};
/** Where a person works, in a few words. */
function usePlaceText(): (person: Admin) => string {
  const { t } = useTranslation();
  const restaurants = usePartnerRestaurants();
  const nameOf = new Map(restaurants.data?.map((r) => [r.id, r.name]));
  return ({ target_type, restaurant_ids }: Admin) => {
    if (target_type === 'Partner') return t('users.whole_partner');
    const names = (restaurant_ids ?? []).map((id) => nameOf.get(id)).filter(Boolean);
    const hidden = (restaurant_ids?.length ?? 0) - Math.min(names.length, 2);
    return [names.slice(0, 2).join(', '), hidden > 0 && t('users.more_restaurants', { count: hidden })]
      .filter(Boolean)
      .join(' ');
  };
}

function useColumns(): Column<Admin>[] {
  const { t } = useTranslation();
  const { ago } = useFormat();
  const editor = useEditorRights();
  const where = usePlaceText();
  return [
    {
      key: 'name',
      render: (row) => (
        <span className="user-name-cell">
          <b>{row.name || row.email}</b>
          <span>
            {row.email}
            {row.id === editor.admin && ` · ${t('users.you')}`}
          </span>
        </span>
      ),
    },
    { key: 'where', title: t('users.where'), render: (row) => where(row) },
    {
      key: 'rights',
      title: t('users.rights'),
      wideOnly: true,
      render: (row) =>
        row.full_target_access || row.super_admin ? (
          <Chip tone="violet">{t('users.everything')}</Chip>
        ) : (
          t('users.right_count', { count: row.permissions.length })
        ),
    },
    {
      key: 'status',
      render: (row) => (
        <span className="user-status">
          <StatusChip status={row.status} />
          {row.second_factor && (
            <SafetyCertificateOutlined
              title={t('users.second_factor')}
              aria-label={t('users.second_factor')}
            />
          )}
        </span>
      ),
    },
    {
      key: 'surfaces',
      title: t('users.surfaces'),
      wideOnly: true,
      render: (row) => row.surfaces.map((s) => t(`users.surface.${s}`)).join(', '),
    },
    {
      key: 'last_active_at',
      render: (row) => {
        const at = row.last_active_at;
        return at ? ago(at) : t('users.never');
      },
    },
  ];
}

/** The users: name, place, rights, creation. A filter shows archived ones. */
export function List() {
  const { t } = useTranslation();
  const { feature, open } = usePage();
  const url = usePageUrl();
  const resource = usePeopleResource();
  const columns = useColumns();
  return (
    <ResourceList
      resource={resource}
      fields={FIELDS}
      columns={columns}
      filters={['status']}
      lead={t(resource === 'partner_admins' ? 'users.lead' : 'users.lead_restaurant')}
      href={(row) => url(feature!.key, row.id) + location.search}
      onOpen={(row) => open(row.id)}
      onNew={() => open('new')}
    />
  );
}
