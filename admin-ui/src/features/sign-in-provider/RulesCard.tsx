import { Form, Input, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import type { SignInRules } from '../../generated/model';
import { FieldsConflict } from '../../lib/crud';
import type { Fields } from '../../lib/fields/kinds';
import { changes } from '../../lib/form/body';
import { InputForm, SubmitRow } from '../../lib/form/InputForm';
import { Card } from '../../lib/ui/page';
import { ErrorState, Loading } from '../../lib/ui/states';
import { useSignInRules } from './api';
import { useVersionedForm } from './useVersionedForm';

interface Values {
  password_min_length: string;
  /** 0: no limit. */
  idle_minutes: number;
}
const valuesOf = (row: SignInRules | null): Values => ({
  password_min_length: String(row?.password_min_length ?? 6),
  idle_minutes: row?.idle_minutes ?? 0,
});
const bodyOf = ({ password_min_length, idle_minutes }: Values) => ({
  password_min_length: Number(password_min_length),
  idle_minutes: idle_minutes || null,
});

const COMPARED: Fields = { password_min_length: { kind: 'integer' }, idle_minutes: { kind: 'integer' } };
/** Minutes to choose from; 0 is no limit. */
const IDLE = [0, 5, 15, 30, 60, 240, 480, 1440, 10_080, 20_160];

/** The partner's own minimum of password length and limit of idle sessions. */
export function RulesCard() {
  const { t } = useTranslation();
  const rules = useSignInRules();
  const { data, isError, error, refetch } = rules.query;
  if (data) return <RulesForm row={data} rules={rules} />;
  return (
    <Card title={t('sign_in_rules.title')}>
      {isError ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Loading rows={4} />}
    </Card>
  );
}

/** What a number of minutes is called: the largest whole unit. */
function useDuration() {
  const { t } = useTranslation();
  return (minutes: number) => {
    if (minutes === 0) return t('sign_in_rules.no_limit');
    if (minutes % 1440 === 0) return t('sign_in_rules.days', { count: minutes / 1440 });
    if (minutes % 60 === 0) return t('sign_in_rules.hours', { count: minutes / 60 });
    return t('sign_in_rules.minutes', { count: minutes });
  };
}

function RulesForm({ row, rules }: { row: SignInRules; rules: ReturnType<typeof useSignInRules> }) {
  const { t } = useTranslation();
  const duration = useDuration();
  const state = useVersionedForm({
    row,
    id: 'rules',
    valuesOf,
    bodyOf: (values, base) => changes(bodyOf(base), bodyOf(values)),
    save: rules.save,
    onTheirs: rules.put,
  });
  const minutes = [...new Set([...IDLE, row.idle_minutes ?? 0])].toSorted((a, b) => a - b);
  return (
    <Card title={t('sign_in_rules.title')}>
      <p className="provider-soft">{t('sign_in_rules.text')}</p>
      <InputForm name="sign-in-rules" state={state}>
        <FieldsConflict
          conflict={state.conflict}
          fields={COMPARED}
          resource="sign_in_rules"
          resolve={state.resolve}
        />
        <Form.Item
          name="password_min_length"
          label={t('sign_in_rules.password_min_length')}
          extra={t('sign_in_rules.password_min_length_help')}
          validateTrigger="onBlur"
          rules={[{ pattern: /^([6-9]|[1-5]\d|6[0-4])$/, message: t('sign_in_rules.length_range') }]}
        >
          <Input inputMode="numeric" maxLength={2} autoComplete="off" className="provider-short" />
        </Form.Item>
        <Form.Item
          name="idle_minutes"
          label={t('sign_in_rules.idle_minutes')}
          extra={t('sign_in_rules.idle_minutes_help')}
        >
          <Select
            virtual={false}
            listHeight={440}
            options={minutes.map((value) => ({ value, label: duration(value) }))}
          />
        </Form.Item>
        <SubmitRow state={state} label={t('action.save')} />
      </InputForm>
    </Card>
  );
}
