import { HistoryOutlined, SyncOutlined } from '@ant-design/icons';
import { useList } from '@refinedev/core';
import { Checkbox, Form, Radio, Select } from 'antd';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCanDo } from '../../lib/access';
import { RecordHistory } from '../audit/history';
import { FormDrawer, type Layout, useResourceForm } from '../../lib/crud';
import type { FieldProps } from '../../lib/fields/Field';
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
import {
  type ApiKey,
  BROWSER_SCOPES,
  changeFields,
  isOrigin,
  type KeyKind,
  type KeyResource,
  KINDS,
  newFields,
  SCOPES,
} from './types';

/** What every origin begins with. */
const SCHEME = 'https://';

interface Props {
  resource: KeyResource;
  /** None: a new key. */
  id?: string | undefined;
  /** A key to be shown this once. */
  onSecret: (key: ApiKey) => void;
  onClose: () => void;
  onAnother: () => void;
}

/** A key in a drawer: what it may do is fixed when it is made; name, origins and end can be changed. */
export function KeyEditor({ resource, id, onSecret, onClose, onAnother }: Props) {
  const { t } = useTranslation();
  const notify = useNotify();
  const canDo = useCanDo();
  const me = useMe();
  const url = usePageUrl();
  const [rotating, setRotating] = useState(false);
  const [history, setHistory] = useState(false);
  const isNew = id === undefined;
  const fields = useMemo(() => (isNew ? newFields(resource) : changeFields), [isNew, resource]);
  const { result } = useList<ApiKey>({
    resource,
    pagination: { mode: 'off' },
    queryOptions: { enabled: !isNew },
  });
  const row = result.data.find((key) => key.id === id);
  const state = useResourceForm({
    resource,
    fields,
    id,
    row: row as Record<string, unknown> | undefined,
    // Only browser keys have origins.
    toBody: (body, values) => {
      const { origins, ...rest } = body;
      return (isNew ? values.kind : row?.kind) === 'browser' && origins !== undefined
        ? { ...rest, origins }
        : rest;
    },
    onSaved: (saved) => isNew && onSecret(saved as unknown as ApiKey),
  });
  const kind = (Form.useWatch('kind', state.form) ?? row?.kind ?? 'secret') as KeyKind;
  const browser = kind === 'browser';
  const scopes: unknown = Form.useWatch('scopes', state.form);
  useEffect(() => {
    // What everybody can read must not open more than its kind may.
    if (!isNew || !browser || !Array.isArray(scopes)) return;
    const fitting = scopes.filter((scope) => BROWSER_SCOPES.includes(scope as never));
    if (fitting.length !== scopes.length) state.form.setFieldValue('scopes', fitting);
  }, [isNew, browser, scopes, state.form]);

  const overrides: Partial<Record<string, Partial<FieldProps>>> = {
    kind: {
      input: (
        <Radio.Group
          className="key-kinds"
          options={KINDS.map((value) => ({
            value,
            label: (
              <span>
                <b>{t(`api_keys.kind.${value}`)}</b>
                <small>{t(`api_keys.kind_text.${value}`)}</small>
              </span>
            ),
          }))}
        />
      ),
    },
    scopes: {
      input: (
        <Checkbox.Group
          options={SCOPES.map((value) => ({
            value,
            label: t(`api_keys.scopes.${value}`),
            disabled: browser && !BROWSER_SCOPES.includes(value),
          }))}
        />
      ),
      // Not `required`: a group of boxes may not say so to assistive technology.
      rules: [
        {
          validator: async (_, values?: string[]) => {
            if (!values?.length) throw new Error(t('form.required'));
          },
        },
      ],
    },
    origins: {
      input: (
        <Select
          mode="tags"
          open={false}
          suffixIcon={null}
          tokenSeparators={[' ', ',']}
          placeholder={SCHEME}
        />
      ),
      rules: [
        { required: true, type: 'array', min: 1, message: t('form.required') },
        {
          validator: async (_, values?: string[]) => {
            const bad = values?.find((text) => !isOrigin(text));
            if (bad) throw new Error(t('api_keys.origin_bad', { origin: bad }));
          },
        },
      ],
    },
  };
  const layout: Layout = [
    'name',
    ...(isNew ? ['kind', 'scopes', ...(resource === 'partner_api_keys' ? ['restaurant_ids'] : [])] : []),
    ...(browser ? ['origins'] : []),
    'expires_at',
  ];
  const name = row?.name ?? '';
  return (
    <>
      <FormDrawer
        state={state}
        resource={resource}
        fields={fields}
        layout={layout}
        overrides={overrides}
        name={name}
        title={isNew ? t('api_keys.new') : name || t('state.loading')}
        onClose={onClose}
        onAnother={onAnother}
        removal={{
          verb: t('api_keys.revoke'),
          title: t('api_keys.revoke_title', { name }),
          effect: t('api_keys.revoke_effect'),
        }}
        onRemoved={() => notify.success(t('api_keys.revoked', { name }))}
      >
        {row && <KeyFacts row={row} />}
        {row && me.super_admin && <Limits key={row.limit_factor} resource={resource} row={row} />}
        {row && (
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
            <Button type="text" icon={<HistoryOutlined />} onClick={() => setHistory(true)}>
              {t('api_keys.history')}
            </Button>
            {canDo(resource, 'rotate') && (
              <Button icon={<SyncOutlined />} onClick={() => setRotating(true)}>
                {t('api_keys.rotate')}
              </Button>
            )}
          </div>
        )}
      </FormDrawer>
      {row && history && (
        <RecordHistory
          recordId={row.id}
          name={row.name}
          company={resource === 'partner_api_keys'}
          onClose={() => setHistory(false)}
        />
      )}
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
