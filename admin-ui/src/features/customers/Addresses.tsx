import { DeleteOutlined, EditOutlined, PlusOutlined } from '@ant-design/icons';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShadowCustomerAddress, ShadowCustomerDetails } from '../../generated/model';
import { useFormat } from '../../lib/format';
import { Button } from '../../lib/ui/Button';
import { useFocusAfterRow } from '../../lib/ui/focus';
import { useNotify } from '../../lib/ui/notify';
import { Card } from '../../lib/ui/page';
import { useWork } from '../../lib/ui/work';
import { addressLine } from '../order/model';
import { useAddressCalls } from './calls';
import { addressBody, addressValues } from './shared/address';
import { AddressDrawer } from './shared/AddressDrawer';
import { AddressText } from './shared/AddressText';

/** Where orders go. Each is saved by itself. */
export function Addresses({ row, locked }: { row: ShadowCustomerDetails; locked: boolean }) {
  const { t } = useTranslation();
  const [edited, setEdited] = useState<ShadowCustomerAddress | 'new'>();
  return (
    <Card
      title={t('shadow_customers.addresses')}
      extra={
        !locked && (
          <Button icon={<PlusOutlined />} onClick={() => setEdited('new')}>
            {t('customers.address_new')}
          </Button>
        )
      }
    >
      {row.addresses.length === 0 ? (
        <p className="edit-help">{t('customers.addresses_none')}</p>
      ) : (
        <ul className="customer-rows" aria-label={t('shadow_customers.addresses')}>
          {row.addresses.map((address) => (
            <Item key={address.id}>
              <AddressText address={address} />
              {!locked && <Buttons row={row} address={address} onEdit={() => setEdited(address)} />}
            </Item>
          ))}
        </ul>
      )}
      {edited && <Edited row={row} address={edited} onClose={() => setEdited(undefined)} />}
    </Card>
  );
}

function Item({ children }: { children: ReactNode }) {
  return <li ref={useFocusAfterRow<HTMLLIElement>()}>{children}</li>;
}

function Buttons({
  row,
  address,
  onEdit,
}: {
  row: ShadowCustomerDetails;
  address: ShadowCustomerAddress;
  onEdit: () => void;
}) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const notify = useNotify();
  const { busy, work } = useWork();
  const calls = useAddressCalls();
  const line = addressLine(address, language);
  const remove = () =>
    work(async () => {
      await calls.remove(row.id, address);
      notify.undo(t('state.deleted', { name: line }), () => calls.bringBack(row.id, address));
    });
  return (
    <span className="customer-row-actions">
      <Button
        type="text"
        icon={<EditOutlined />}
        aria-label={t('customers.address_edit', { address: line })}
        onClick={onEdit}
      />
      <Button
        type="text"
        icon={<DeleteOutlined />}
        loading={busy}
        aria-label={t('customers.address_delete', { address: line })}
        onClick={() => void remove()}
      />
    </span>
  );
}

function Edited({
  row,
  address,
  onClose,
}: {
  row: ShadowCustomerDetails;
  address: ShadowCustomerAddress | 'new';
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const notify = useNotify();
  const calls = useAddressCalls();
  const isNew = address === 'new';
  return (
    <AddressDrawer
      title={t(isNew ? 'customers.address_new' : 'customers.address_change')}
      initial={addressValues(isNew ? undefined : address)}
      send={(values, changed, key) =>
        isNew
          ? calls.add(row.id, addressBody(values), key)
          : calls.change(row.id, address, addressBody(changed))
      }
      onDone={() => {
        notify.saved();
        onClose();
      }}
      onClose={onClose}
    />
  );
}
