import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fields } from '../../generated/fields/api_keys.gen';
import { ResourcePage, type Row } from '../../lib/crud';
import { KeyDialog } from './KeyDialog';

/** Keys of other systems. The whole key is seen once, when it is made; afterwards only its beginning. */
export default function ApiKeys() {
  const { t } = useTranslation();
  const [made, setMade] = useState<Row>();
  return (
    <>
      <ResourcePage
        resource="api_keys"
        fields={fields}
        lead={t('api_keys.lead')}
        columns={['name', { key: 'api_key', render: (row) => <code>{String(row.prefix)}…</code> }, 'scopes', 'created_at', 'last_used_at']}
        form={['name', 'scopes']}
        initial={{ scopes: ['menu:read', 'orders:write', 'orders:read'] }}
        onCreated={setMade}
      />
      {made && <KeyDialog name={String(made.name)} value={String(made.api_key)} onClose={() => setMade(undefined)} />}
    </>
  );
}
