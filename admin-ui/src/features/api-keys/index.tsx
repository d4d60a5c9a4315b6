import { BarChartOutlined } from '@ant-design/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { ResourceList, type Column } from '../../lib/crud';
import { isWord } from '../../lib/features';
import { useMe } from '../../lib/me';
import { usePage, usePageUrl } from '../../lib/navigation';
import { useRestaurant } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { KeyChip } from './KeyChip';
import { KeyDialog } from './KeyDialog';
import { KeyEditor } from './KeyEditor';
import { type ApiKey, type KeyResource, listFields } from './types';
import { UsagePage } from './UsagePage';
import './keys.css';

/**
 * Keys of other systems. The whole key is seen once, when it is made or rotated; afterwards only its
 * beginning.
 */
export default function ApiKeys() {
  const { t } = useTranslation();
  const { path, open } = usePage();
  const url = usePageUrl();
  const restaurant = useRestaurant();
  const me = useMe();
  const [params, setParams] = useSearchParams();
  const [made, setMade] = useState<ApiKey>();
  const whole =
    me.super_admin ||
    me.targets.some(
      (target) => target.partner_id === restaurant.partner_id && target.target_type === 'Partner',
    );
  const company = whole && params.get('of') === 'company';
  const resource: KeyResource = company ? 'partner_api_keys' : 'api_keys';
  const query = company ? { of: 'company' } : undefined;
  const [id, below] = path;
  if (id && isWord('usage', below))
    return <UsagePage resource={resource} id={id} back={url('api_keys', undefined, query)} />;

  const pageOf = (key: ApiKey) => (key.revoked_at ? `${key.id}/usage` : key.id);
  const columns: Column<ApiKey>[] = [
    { key: 'name' },
    { key: 'api_key', render: (row) => <code>{row.prefix}…</code> },
    { key: 'kind', render: (row) => <KeyChip row={row} /> },
    ...(company ? [{ key: 'restaurant_ids' }] : []),
    { key: 'last_used_at' },
    { key: 'expires_at', wideOnly: true },
    { key: 'scopes', wideOnly: true },
  ];
  return (
    <>
      <ResourceList
        key={resource}
        resource={resource}
        fields={listFields(resource)}
        lead={t('api_keys.lead')}
        columns={columns}
        filters={['with_revoked']}
        actions={
          whole && (
            <div className="langs" role="group" aria-label={t('api_keys.of')}>
              <button type="button" aria-pressed={!company} onClick={() => setParams({})}>
                {t('api_keys.of_restaurant')}
              </button>
              <button type="button" aria-pressed={company} onClick={() => setParams({ of: 'company' })}>
                {t('api_keys.of_company')}
              </button>
            </div>
          )
        }
        // A revoked key cannot be changed any more: what is left of it is its usage.
        href={(row) => url('api_keys', pageOf(row), query)}
        onOpen={(row) => open(pageOf(row))}
        onNew={() => open('new')}
        rowActions={(row) => (
          <Link to={url('api_keys', `${row.id}/usage`, query)}>
            <Button
              tabIndex={-1}
              type="text"
              icon={<BarChartOutlined />}
              aria-label={t('api_keys.usage_of', { name: row.name })}
            />
          </Link>
        )}
      />
      {id && (
        <KeyEditor
          key={id}
          resource={resource}
          id={isWord('new', id) ? undefined : id}
          onSecret={setMade}
          onClose={() => open()}
        />
      )}
      {made && <KeyDialog row={made} onClose={() => setMade(undefined)} />}
    </>
  );
}
