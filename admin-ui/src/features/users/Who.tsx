import { Input, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format';
import { FieldRow } from '../../lib/form/FieldRow';
import { useBusy } from '../../lib/form/fieldState';
import type { DraftForm } from '../../lib/form/useDraftForm';
import { Card } from '../../lib/ui/page';
import type { Draft } from './draft';
import type { Admin } from './types';

/** Name, e-mail, phone, language. */
export function Who({
  state,
  locked,
  own,
}: {
  state: DraftForm<Admin, Draft>;
  locked: boolean;
  own: boolean;
}) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const busy = useBusy();
  const { draft, set, isNew } = state;
  const off = busy || (locked && !own);
  const text = (field: 'last_name' | 'first_name' | 'tel', label: string, max: number) => (
    <FieldRow key={field} path={field} label={label} required={field === 'last_name'}>
      {(control) => (
        <Input
          {...control}
          autoComplete="off"
          maxLength={max}
          disabled={off}
          value={draft[field]}
          onChange={(event) => set({ [field]: event.target.value })}
        />
      )}
    </FieldRow>
  );
  const names = [
    text('last_name', t('field.last_name'), 100),
    text('first_name', t('field.first_name'), 100),
  ];
  return (
    <Card title={t('users.who')}>
      <div className="field-line">{language === 'hu' ? names : names.reverse()}</div>
      <FieldRow
        path="email"
        label={t('field.email')}
        required
        help={isNew ? undefined : t('users.email_help')}
      >
        {(control) => (
          <Input
            {...control}
            type="email"
            autoComplete="off"
            maxLength={254}
            disabled={busy || locked}
            value={draft.email}
            onChange={(event) => set({ email: event.target.value })}
          />
        )}
      </FieldRow>
      <div className="field-line">
        {text('tel', t('users.tel'), 50)}
        <FieldRow path="language" label={t('users.language')} help={t('users.language_help')}>
          {(control) => (
            <Select
              {...control}
              className="edit-wide"
              disabled={off}
              value={draft.language}
              onChange={(value) => set({ language: value })}
              options={(['hu', 'en'] as const).map((code) => ({ value: code, label: t(`language.${code}`) }))}
            />
          )}
        </FieldRow>
      </div>
    </Card>
  );
}
