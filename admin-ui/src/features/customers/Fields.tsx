import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFault, useLocked } from '../../lib/form/fieldState';
import { FieldRow } from '../../lib/form/FieldRow';
import { useAddedRow } from '../../lib/form/useAddedRow';
import { useFormat } from '../../lib/format';
import { newKey } from '../../lib/idempotency';
import { usePage } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { Card } from '../../lib/ui/page';
import { useArea } from './area';
import type { CustomerDraft } from './draft';
import { isWholeNumber } from './shared/byPhone';
import type { CustomerForm } from './useCustomerForm';

type TextName = Exclude<keyof CustomerDraft, 'external_ids'>;

/** As many ids of other platforms as the service keeps. */
const MOST_IDS = 20;

interface TextProps {
  form: CustomerForm;
  name: TextName;
  max: number;
  kind?: 'tel' | 'email' | 'long';
  required?: boolean;
}

function TextField({ form: { draft, set }, name, max, kind, required = false }: TextProps) {
  const { t } = useTranslation();
  const locked = useLocked();
  const label = t(`shadow_customers.${name}`);
  const value = draft[name].trim();
  const text = kind === 'tel' && value !== '' && !isWholeNumber(value);
  const help =
    name === 'note' || name === 'comment'
      ? t(`shadow_customers.${name}_help`)
      : text
        ? t('customers.no_number')
        : undefined;
  return (
    <FieldRow
      path={name}
      label={label}
      required={required}
      help={help}
      extra={(kind === 'tel' || kind === 'email') && <Taken path={name} value={value} />}
    >
      {(control) => {
        const common = {
          ...control,
          value: draft[name],
          disabled: locked,
          maxLength: max,
          autoComplete: 'off',
          onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value }),
        };
        return kind === 'long' ? (
          <Input.TextArea {...common} autoSize={{ minRows: 2, maxRows: 8 }} />
        ) : (
          <Input {...common} {...(kind ? { inputMode: kind } : {})} />
        );
      }}
    </FieldRow>
  );
}

/** The way to the customer who has this phone or e-mail, once the service has refused it for that. */
function Taken({ path, value }: { path: string; value: string }) {
  const { t } = useTranslation();
  const { setSearch } = useArea();
  const { open } = usePage();
  if (useFault(path) !== t('fault.not_unique')) return null;
  return (
    <Button
      type="link"
      size="small"
      onClick={() => {
        setSearch(value);
        void open();
      }}
    >
      {t('customers.find_taken')}
    </Button>
  );
}

/** Who it is, and how one reaches them. */
export function Person({ form }: { form: CustomerForm }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const names: readonly TextName[] =
    language === 'hu' ? ['last_name', 'first_name'] : ['first_name', 'last_name'];
  return (
    <Card title={t('customers.person')}>
      <div className="field-line">
        {names.map((name) => (
          <TextField key={name} form={form} name={name} max={80} required />
        ))}
      </div>
      <div className="field-line">
        <TextField form={form} name="phone_1" max={40} kind="tel" />
        <TextField form={form} name="phone_2" max={40} kind="tel" />
      </div>
      <TextField form={form} name="email" max={254} kind="email" />
    </Card>
  );
}

/** What is noted of them. */
export function Notes({ form }: { form: CustomerForm }) {
  const { t } = useTranslation();
  return (
    <Card title={t('customers.notes')}>
      <TextField form={form} name="note" max={1000} kind="long" />
      <TextField form={form} name="comment" max={1000} kind="long" />
    </Card>
  );
}

/** How other platforms call them. */
export function ExternalIds({ form: { draft, set } }: { form: CustomerForm }) {
  const { t } = useTranslation();
  const locked = useLocked();
  const { ref, added } = useAddedRow();
  const rows = draft.external_ids;
  return (
    <Card title={t('shadow_customers.external_ids')}>
      <p className="edit-lead">{t('customers.external_ids_text')}</p>
      <div className="rows customer-ids" ref={ref}>
        {rows.map((row, place) => (
          <ExternalIdRow
            key={row.key}
            path={`external_ids.${row.key}`}
            number={place + 1}
            value={row}
            onChange={(change, path) =>
              set({ external_ids: rows.map((one) => (one === row ? { ...one, ...change } : one)) }, path)
            }
            onRemove={() => set({ external_ids: rows.filter((one) => one !== row) })}
          />
        ))}
        {!locked && rows.length < MOST_IDS && (
          <Button
            icon={<PlusOutlined />}
            onClick={() => {
              set({ external_ids: [...rows, { key: newKey(), platform: '', id: '' }] });
              added();
            }}
          >
            {t('customers.external_id_new')}
          </Button>
        )}
      </div>
    </Card>
  );
}

interface RowProps {
  path: string;
  number: number;
  value: { platform: string; id: string };
  onChange: (change: { platform?: string; id?: string }, path: string) => void;
  onRemove: () => void;
}

function ExternalIdRow({ path, number, value, onChange, onRemove }: RowProps) {
  const { t } = useTranslation();
  const locked = useLocked();
  const name = t('customers.external_id_row', { number });
  return (
    <div className="row" role="group" aria-label={name}>
      {(['platform', 'id'] as const).map((field) => (
        <FieldRow
          key={field}
          path={`${path}.${field}`}
          label={t(`shadow_customers.external_ids.${field}`)}
          required
        >
          {(control) => (
            <Input
              {...control}
              value={value[field]}
              disabled={locked}
              maxLength={field === 'id' ? 200 : 60}
              autoComplete="off"
              onChange={(event) => onChange({ [field]: event.target.value }, `${path}.${field}`)}
            />
          )}
        </FieldRow>
      ))}
      {!locked && (
        <div className="row-actions">
          <Button
            type="text"
            icon={<DeleteOutlined />}
            aria-label={t('customers.external_id_remove', { name: value.platform || name })}
            onClick={onRemove}
          >
            {t('action.remove')}
          </Button>
        </div>
      )}
    </div>
  );
}
