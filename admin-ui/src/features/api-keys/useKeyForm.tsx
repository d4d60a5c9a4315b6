import { useList } from '@refinedev/core';
import { Checkbox, Form, Radio, Select } from 'antd';
import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Layout, useResourceForm } from '../../lib/crud';
import type { FieldProps } from '../../lib/fields/Field';
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

/** The prefix of every origin. */
const SCHEME = 'https://';

/** The form of a key, new without an `id`. `onSecret` gets a new key, whose secret is shown this once. */
export function useKeyForm(resource: KeyResource, id: string | undefined, onSecret: (key: ApiKey) => void) {
  const isNew = id === undefined;
  const fields = useMemo(() => (isNew ? newFields(resource) : changeFields), [isNew, resource]);
  const { query, result } = useList<ApiKey>({
    resource,
    pagination: { mode: 'off' },
    queryOptions: { enabled: !isNew },
  });
  const row = result.data.find((key) => key.id === id);
  const state = useResourceForm({
    resource,
    fields,
    id,
    row: (query.isSuccess ? (row ?? null) : undefined) as Record<string, unknown> | null | undefined,
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
    // A public key must not have more rights than its kind allows.
    if (!isNew || !browser || !Array.isArray(scopes)) return;
    const fitting = scopes.filter((scope) => BROWSER_SCOPES.includes(scope as never));
    if (fitting.length !== scopes.length) state.form.setFieldValue('scopes', fitting);
  }, [isNew, browser, scopes, state.form]);

  const layout: Layout = [
    'name',
    ...(isNew ? ['kind', 'scopes', ...(resource === 'partner_api_keys' ? ['restaurant_ids'] : [])] : []),
    ...(browser ? ['origins'] : []),
    'expires_at',
  ];
  return { row, state, fields, layout, overrides: useKeyInputs(browser) };
}

/** The inputs that no kind of field has. `browser`: the key is for browsers, which may do less. */
function useKeyInputs(browser: boolean): Partial<Record<string, Partial<FieldProps>>> {
  const { t } = useTranslation();
  return {
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
}
