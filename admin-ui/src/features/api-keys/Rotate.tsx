import { Alert, Form, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { ActionDialog, useInputForm } from '../../lib/crud';
import { useForget } from '../../lib/query';
import { rotateKey } from './api';
import type { ApiKey, KeyResource } from './types';

/** Hours for which the secret so far can stay good; the service takes 0 to 168. */
const OVERLAPS = [0, 1, 24, 72, 168];

/**
 * Another secret for the same key; both are good for a while, so that the other system can be changed in
 * peace.
 */
export function Rotate({
  resource,
  row,
  onClose,
  onDone,
}: {
  resource: KeyResource;
  row: ApiKey;
  onClose: () => void;
  onDone: (key: ApiKey) => void;
}) {
  const { t } = useTranslation();
  const forget = useForget();
  const action = useInputForm<{ overlap_hours: number }, ApiKey>({
    initial: { overlap_hours: 24 },
    send: (body) => rotateKey(resource, row.id, body),
    onDone: (key) => {
      void forget([resource]);
      onDone(key);
    },
  });
  const hours = Form.useWatch('overlap_hours', action.form);
  return (
    <ActionDialog
      action={action}
      title={t('api_keys.rotate_title', { name: row.name })}
      verb={t('api_keys.rotate')}
      danger={hours === 0}
      onClose={onClose}
    >
      <Alert
        type={hours === 0 ? 'warning' : 'info'}
        showIcon
        className="page-alert"
        title={t(hours === 0 ? 'api_keys.rotate_now' : 'api_keys.rotate_text')}
      />
      <Form.Item name="overlap_hours" label={t('api_keys.overlap')}>
        <Select
          options={OVERLAPS.map((value) => ({
            value,
            label: value === 0 ? t('api_keys.overlap_none') : t('api_keys.overlap_hours', { count: value }),
          }))}
        />
      </Form.Item>
    </ActionDialog>
  );
}
