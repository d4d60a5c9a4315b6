import { MergeCellsOutlined } from '@ant-design/icons';
import { Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShadowCustomer, ShadowCustomerDetails } from '../../generated/model';
import { FieldRow } from '../../lib/form/FieldRow';
import { useFormat } from '../../lib/format';
import { useDebounced } from '../../lib/hooks';
import { usePage } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { Chip, Facts } from '../../lib/ui/page';
import { SideDrawer } from '../../lib/ui/SideDrawer';
import { ProblemAlert } from '../../lib/ui/states';
import { useInlineWork } from '../../lib/ui/work';
import { formatPhone } from '../order/phone';
import { useCustomerSearch } from './api';
import { useCustomerCalls } from './calls';
import { type Mergeable, olderOf } from './merge';

/** Milliseconds without a key before customers are searched. */
const WAIT = 400;

interface Props {
  row: ShadowCustomerDetails;
  onClose: () => void;
}

/** Two who turned out to be one: the other is chosen, the drawer says which of them stays. */
export default function MergeDrawer({ row, onClose }: Props) {
  const { t } = useTranslation();
  const { open } = usePage();
  const notify = useNotify();
  const calls = useCustomerCalls();
  const { busy, error, dismiss, work } = useInlineWork();
  const [other, setOther] = useState<ShadowCustomer>();
  const merge = async (chosen: ShadowCustomer) => {
    const [stays, goes] = olderOf<Mergeable>(row, chosen);
    const done = await work((keyFor) => calls.merge(goes.id, stays.id, keyFor([goes.id, stays.id])));
    if (!done) return;
    onClose();
    if (stays.id !== row.id) await open(stays.id, { replace: true });
    notify.undo(t('customers.merged', { name: stays.name }), () => calls.unmerge(goes.id));
  };
  return (
    <SideDrawer
      title={t('customers.merge')}
      onClose={onClose}
      footer={
        <div className="form-buttons">
          <span className="form-buttons-gap" />
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button
            type="primary"
            icon={<MergeCellsOutlined />}
            loading={busy}
            disabled={!other}
            onClick={() => other && void merge(other)}
          >
            {t('customers.merge_do')}
          </Button>
        </div>
      }
    >
      {error !== undefined && <ProblemAlert error={error} onClose={dismiss} />}
      <p className="edit-lead">{t('customers.merge_text')}</p>
      <OtherSelect self={row.id} value={other} onChange={setOther} />
      {other && <Pair row={row} other={other} />}
    </SideDrawer>
  );
}

const contact = ({ phone_1, email }: ShadowCustomer) =>
  [phone_1 && formatPhone(phone_1), email].filter(Boolean).join(', ');

/** Finds the other by words of the name, phone or e-mail. */
function OtherSelect({
  self,
  value,
  onChange,
}: {
  self: string;
  value: ShadowCustomer | undefined;
  onChange: (customer: ShadowCustomer) => void;
}) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const found = useCustomerSearch(useDebounced(text.trim(), WAIT));
  const rows = (found.data ?? []).filter(({ id }) => id !== self);
  return (
    <FieldRow path="merge-other" label={t('customers.merge_other')} help={t('customers.search_help')}>
      {(control) => (
        <Select<string | null>
          {...control}
          className="edit-wide"
          value={value ? value.name : null}
          placeholder={t('customers.search')}
          loading={found.isFetching}
          showSearch={{ filterOption: false, searchValue: text, onSearch: setText }}
          notFoundContent={
            found.isError ? t('state.failed') : found.isFetching ? t('state.loading') : t('state.no_match')
          }
          onChange={(id) => {
            const customer = rows.find((one) => one.id === id);
            if (customer) onChange(customer);
            setText('');
          }}
          options={rows.map((one) => ({
            value: one.id,
            label: one.name || t('customers.nameless'),
            desc: contact(one),
          }))}
          optionRender={({ data }) => (
            <span className="customer-option">
              <span>{data.label}</span>
              <span className="edit-help">{data.desc}</span>
            </span>
          )}
        />
      )}
    </FieldRow>
  );
}

/** Both beside each other, with what becomes of them. */
function Pair({ row, other }: { row: ShadowCustomerDetails; other: ShadowCustomer }) {
  const { t } = useTranslation();
  const { number, money, dateTime } = useFormat();
  const [stays] = olderOf<Mergeable>(row, other);
  const pair = [row, other].toSorted((a, b) => Number(b.id === stays.id) - Number(a.id === stays.id));
  return (
    <>
      <div className="customer-pair">
        {pair.map((one) => (
          <section key={one.id} aria-label={one.name}>
            <h3>
              {one.name || t('customers.nameless')}{' '}
              <Chip tone={one.id === stays.id ? 'success' : 'warning'}>
                {t(one.id === stays.id ? 'customers.merge_stays' : 'customers.merge_goes')}
              </Chip>
            </h3>
            <Facts
              rows={[
                [t('shadow_customers.phone_1'), one.phone_1 ? formatPhone(one.phone_1) : '–'],
                [t('shadow_customers.email'), one.email ?? '–'],
                [t('shadow_customers.order_number'), number(one.order_number)],
                [t('shadow_customers.order_total_sum'), money(one.order_total_sum)],
                [t('shadow_customers.created_at'), dateTime(one.created_at)],
              ]}
            />
          </section>
        ))}
      </div>
      <p className="edit-help">{t('customers.merge_rule')}</p>
    </>
  );
}
