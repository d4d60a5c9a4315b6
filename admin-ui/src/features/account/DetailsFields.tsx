import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Input, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { FieldRow } from '../../lib/form/FieldRow';
import { useAddedRow } from '../../lib/form/useAddedRow';
import { useLocked } from '../../lib/form/fieldState';
import { useFormat } from '../../lib/format';
import { Button } from '../../lib/ui/Button';
import { countries, zones } from '../restaurant-general/choices';
import {
  ADDRESS,
  ADDRESS_FIELDS,
  type Address,
  type AddressField,
  type Billing,
  type Details,
  freshAddress,
  freshBilling,
  REQUIRED,
} from './details';

const search = { optionFilterProp: 'label' };
/** As many addresses the service keeps of a person. */
const MAX_ADDRESSES = 10;

interface Props {
  value: Details;
  /** `path` names the field whose fault is gone with it. */
  set: (change: Partial<Details>, path?: string) => void;
}

/** Time zone, billing details and addresses of a person, within the state of a draft's fields. */
export function DetailsFields({ value, set }: Props) {
  const { t } = useTranslation();
  const off = useLocked();
  const { billing_details: billing } = value;
  const { ref, added } = useAddedRow();
  return (
    <>
      <FieldRow path="timezone" label={t('details.timezone')} help={t('details.timezone_help')}>
        {(control) => (
          <Select
            {...control}
            className="edit-wide"
            allowClear
            showSearch={search}
            disabled={off}
            placeholder={t('details.timezone_none')}
            value={value.timezone || undefined}
            onChange={(zone?: string) => set({ timezone: zone ?? '' })}
            options={zones()}
          />
        )}
      </FieldRow>
      <h3 className="details-head">{t('details.billing')}</h3>
      <div ref={ref}>
        {billing ? (
          <BillingFields
            value={billing}
            onChange={(next, path) => set({ billing_details: next }, path)}
            onRemove={() => set({ billing_details: null })}
          />
        ) : (
          <Button
            icon={<PlusOutlined />}
            disabled={off}
            onClick={() => {
              set({ billing_details: freshBilling() });
              added();
            }}
          >
            {t('details.billing_add')}
          </Button>
        )}
      </div>
      <Addresses value={value} set={set} />
    </>
  );
}

function Addresses({ value: { addresses }, set }: Props) {
  const { t } = useTranslation();
  const off = useLocked();
  const { ref, added } = useAddedRow();
  const setAddresses = (next: Address[], path?: string) => set({ addresses: next }, path);
  return (
    <>
      <h3 className="details-head">{t('details.addresses')}</h3>
      <div ref={ref}>
        {addresses.map((address, at) => (
          <div
            className="details-address"
            key={at}
            role="group"
            aria-label={t('details.address_number', { number: at + 1 })}
          >
            <AddressFields
              path={`addresses.${at}`}
              value={address}
              onChange={(next, path) => setAddresses(addresses.with(at, next), path)}
            />
            <Button
              type="text"
              danger
              icon={<DeleteOutlined />}
              disabled={off}
              onClick={() => setAddresses(addresses.toSpliced(at, 1))}
            >
              {t('details.address_remove')}
            </Button>
          </div>
        ))}
      </div>
      {addresses.length < MAX_ADDRESSES && (
        <Button
          icon={<PlusOutlined />}
          disabled={off}
          onClick={() => {
            setAddresses([...addresses, freshAddress()]);
            added();
          }}
        >
          {t('details.address_add')}
        </Button>
      )}
    </>
  );
}

function BillingFields({
  value,
  onChange,
  onRemove,
}: {
  value: Billing;
  onChange: (next: Billing, path: string) => void;
  onRemove: () => void;
}) {
  const { t } = useTranslation();
  const off = useLocked();
  const text = (field: 'company_name' | 'tax_num' | 'contact_email', max: number, help?: string) => (
    <FieldRow
      path={`billing_details.${field}`}
      label={t(`details.${field}`)}
      required={field === 'company_name'}
      help={help}
    >
      {(control) => (
        <Input
          {...control}
          autoComplete="off"
          maxLength={max}
          disabled={off}
          value={value[field]}
          onChange={(event) =>
            onChange({ ...value, [field]: event.target.value }, `billing_details.${field}`)
          }
        />
      )}
    </FieldRow>
  );
  return (
    <div className="details-address" role="group" aria-label={t('details.billing')}>
      {text('company_name', 200)}
      <div className="field-line">
        {text('tax_num', 30, t('details.tax_num_help'))}
        {text('contact_email', 254, t('details.contact_email_help'))}
      </div>
      <AddressFields
        path="billing_details.address"
        value={value.address}
        onChange={(address, path) => onChange({ ...value, address }, path)}
      />
      <Button type="text" danger icon={<DeleteOutlined />} disabled={off} onClick={onRemove}>
        {t('details.billing_remove')}
      </Button>
    </div>
  );
}

/** The eleven fields of an address; the country is chosen. */
function AddressFields({
  path,
  value,
  onChange,
}: {
  path: string;
  value: Address;
  onChange: (next: Address, path: string) => void;
}) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const off = useLocked();
  const change = (field: AddressField, text: string) =>
    onChange({ ...value, [field]: text }, `${path}.${field}`);
  return (
    <div className="details-grid">
      {ADDRESS_FIELDS.map((field) => (
        <FieldRow
          key={field}
          path={`${path}.${field}`}
          label={t(`details.${field}`)}
          required={REQUIRED.has(field)}
          className={field === 'address_notes' ? 'details-wide' : ''}
        >
          {(control) =>
            field === 'country' ? (
              <Select
                {...control}
                className="edit-wide"
                showSearch={search}
                disabled={off}
                value={value.country || undefined}
                onChange={(country: string) => change('country', country)}
                options={countries(language)}
              />
            ) : (
              <Input
                {...control}
                autoComplete="off"
                maxLength={ADDRESS[field]}
                disabled={off}
                value={value[field]}
                onChange={(event) => change(field, event.target.value)}
              />
            )
          }
        </FieldRow>
      ))}
    </div>
  );
}
