import { Alert, Input } from 'antd';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { RefNames } from '../../lib/fields/RefSelect';
import { callsAddress, useRestaurant } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { CopyButton } from '../../lib/ui/states';
import { Dialog } from '../../lib/ui/Dialog';
import type { ApiKey } from './types';

/**
 * Shows a new key, this once, and the addresses that it is for, which the third party needs as much. Closed
 * only on purpose: a click beside it must not lose the key.
 */
export function KeyDialog({
  row: { name, api_key: value, restaurant_ids },
  onClose,
}: {
  row: ApiKey;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const { partner_id } = useRestaurant();
  return (
    <Dialog
      title={t('api_keys.made', { name })}
      mask={{ closable: false }}
      keyboard={false}
      closable={false}
      footer={
        <Button type="primary" onClick={onClose}>
          {t('api_keys.kept')}
        </Button>
      }
    >
      <Alert type="warning" showIcon title={t('api_keys.once')} style={{ margin: '12px 0' }} />
      <label htmlFor="new-api-key">
        <b>{t('api_keys.api_key')}</b>
      </label>
      <Input.TextArea
        id="new-api-key"
        readOnly
        autoSize
        value={value}
        onFocus={(event) => event.target.select()}
        style={{ fontFamily: 'ui-monospace, monospace', margin: '6px 0 12px' }}
      />
      <CopyButton text={value} label={t('action.copy')}>
        {t('api_keys.copy')}
      </CopyButton>
      {restaurant_ids.map((id) => (
        <Fragment key={id}>
          <p className="key-address">
            <b>
              {t('api_keys.address')} <RefNames resource="restaurants" ids={[id]} />
            </b>
            <code>{callsAddress({ partner_id, id })}</code>
          </p>
          <CopyButton text={callsAddress({ partner_id, id })} label={t('action.copy')}>
            {t('api_keys.address_copy')}
          </CopyButton>
        </Fragment>
      ))}
    </Dialog>
  );
}
