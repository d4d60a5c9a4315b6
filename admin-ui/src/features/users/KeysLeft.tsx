import { Checkbox } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiKey } from '../../generated/model';
import { useFormat } from '../../lib/format';

/** The API keys that somebody who leaves has made: each stays unless it is ticked. */
export function KeysLeft({ keys, onChange }: { keys: readonly ApiKey[]; onChange: (ids: string[]) => void }) {
  const { t } = useTranslation();
  const { ago } = useFormat();
  const [revoked, setRevoked] = useState<string[]>([]);
  const toggle = (id: string, on: boolean) => {
    const next = on ? [...revoked, id] : revoked.filter((one) => one !== id);
    setRevoked(next);
    onChange(next);
  };
  return (
    <fieldset className="users-keys">
      <legend>{t('users.keys_left')}</legend>
      {keys.map(({ id, name, prefix, last_used_at }) => (
        <Checkbox
          key={id}
          checked={revoked.includes(id)}
          onChange={(event) => toggle(id, event.target.checked)}
        >
          {t('users.keys_revoke', { name })} <code>{prefix}…</code>{' '}
          {last_used_at ? t('users.keys_used', { when: ago(last_used_at) }) : t('users.keys_unused')}
        </Checkbox>
      ))}
    </fieldset>
  );
}
