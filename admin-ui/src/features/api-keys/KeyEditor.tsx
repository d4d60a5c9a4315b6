import { SyncOutlined } from '@ant-design/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCanDo } from '../../lib/access';
import { FormDrawer } from '../../lib/crud';
import { usePageUrl } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { Facts } from '../../lib/ui/page';
import { useFormat } from '../../lib/format';
import { RefNames } from '../../lib/fields/RefSelect';
import { useMe } from '../../lib/me';
import { KeyChip } from './KeyChip';
import { Limits } from './Limits';
import { Rotate } from './Rotate';
import type { ApiKey, KeyResource } from './types';
import { useKeyForm } from './useKeyForm';

interface Props {
  resource: KeyResource;
  /** None: a new key. */
  id?: string | undefined;
  /** A key to be shown this once. */
  onSecret: (key: ApiKey) => void;
  onClose: () => void;
}

/**
 * A key in a drawer. Its rights are fixed at creation; name, origins and expiry can be changed. There is no
 * "save and new": the next form would hide the key that is shown this once.
 */
export function KeyEditor({ resource, id, onSecret, onClose }: Props) {
  const { t } = useTranslation();
  const notify = useNotify();
  const me = useMe();
  const [rotating, setRotating] = useState(false);
  const { row, ...form } = useKeyForm(resource, id, onSecret);
  const name = row?.name ?? '';
  return (
    <>
      <FormDrawer
        {...form}
        resource={resource}
        name={name}
        title={id === undefined ? t('api_keys.new') : name || t('state.loading')}
        history={resource === 'partner_api_keys' ? 'company' : 'restaurant'}
        onClose={onClose}
        removal={{
          verb: t('api_keys.revoke'),
          title: t('api_keys.revoke_title', { name }),
          effect: t('api_keys.revoke_effect'),
        }}
        onRemoved={() => notify.success(t('api_keys.revoked', { name }))}
      >
        {row && <KeyFacts row={row} />}
        {row && me.super_admin && <Limits key={row.limit_factor} resource={resource} row={row} />}
        {row && <KeyActions resource={resource} row={row} onRotate={() => setRotating(true)} />}
      </FormDrawer>
      {row && rotating && (
        <Rotate
          resource={resource}
          row={row}
          onClose={() => setRotating(false)}
          onDone={(key) => {
            setRotating(false);
            onSecret(key);
          }}
        />
      )}
    </>
  );
}

interface ActionsProps {
  resource: KeyResource;
  row: ApiKey;
  onRotate: () => void;
}

function KeyActions({ resource, row, onRotate }: ActionsProps) {
  const { t } = useTranslation();
  const canDo = useCanDo();
  const url = usePageUrl();
  return (
    <div className="key-actions">
      <Link
        to={url(
          'api_keys',
          `${row.id}/usage`,
          resource === 'partner_api_keys' ? { of: 'company' } : undefined,
        )}
      >
        {t('api_keys.usage')}
      </Link>
      {canDo(resource, 'rotate') && (
        <Button icon={<SyncOutlined />} onClick={onRotate}>
          {t('api_keys.rotate')}
        </Button>
      )}
    </div>
  );
}

function KeyFacts({ row }: { row: ApiKey }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Facts
      rows={[
        [t('api_keys.api_key'), <code key="key">{row.prefix}…</code>],
        [t('api_keys.kind'), <KeyChip key="kind" row={row} />],
        [t('api_keys.scopes'), row.scopes.map((scope) => t(`api_keys.scopes.${scope}`)).join(', ')],
        [
          t('api_keys.restaurant_ids'),
          <RefNames key="places" resource="restaurants" ids={row.restaurant_ids} />,
        ],
        [t('field.created_at'), format.dateTime(row.created_at)],
        [t('api_keys.last_used_at'), format.dateTime(row.last_used_at)],
        ...(row.limit_factor === 1
          ? []
          : [
              [
                t('api_keys.limit_factor'),
                t('api_keys.limit_times', { factor: format.number(row.limit_factor) }),
              ] as const,
            ]),
      ]}
    />
  );
}
