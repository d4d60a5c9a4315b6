import { CheckCircleOutlined, EnvironmentOutlined, StopOutlined } from '@ant-design/icons';
import { Alert, Radio } from 'antd';
import { useTranslation } from 'react-i18next';
import type { DeliveryCheck, ShadowCustomerByPhone } from '../../generated/model';
import { useFormat } from '../../lib/format';
import { focusNow, focusSoon, useLocked } from '../../lib/form/fieldState';
import type { Draft } from '../../lib/form/useDraft';
import { Button } from '../../lib/ui/Button';
import { Card, Chip } from '../../lib/ui/page';
import { ProblemAlert } from '../../lib/ui/states';
import { addressValues } from '../customers/shared/address';
import { addressDetails, addressLine } from '../order/model';
import type { Book } from '../order-taking/menu';
import { canOverride, type Reason, reasonsAt } from '../order-taking/reasons';
import { Reasons } from '../order-taking/Reasons';
import { addressChange, isPlaced, knownAddress, type PhoneDraft } from './draft';
import { AddressFields } from './AddressFields';
import { ByHand } from './ByHand';
import { TextField } from './fields';
import { focusNextSoon } from './focus';
import type { PhoneOrder } from './usePhoneOrder';

interface Props {
  order: Pick<PhoneOrder, 'form' | 'region' | 'reasons' | 'call'>;
  customer: ShadowCustomerByPhone | null | undefined;
  book: Book;
}

interface PartProps {
  form: Draft<PhoneDraft>;
  customer: Props['customer'];
}

/** Delivery or pickup, the address, and which region delivers there for how much. */
export function DeliveryPart({ order, customer, book }: Props) {
  const { t } = useTranslation();
  const locked = useLocked();
  const { form, reasons } = order;
  const { draft, set } = form;
  const here = reasonsAt(reasons, 'delivery');
  return (
    <Card title={t('phone_orders.delivery')} className="phone-part">
      <Radio.Group
        id="field-pickup"
        aria-label={t('phone_orders.delivery')}
        optionType="button"
        disabled={locked}
        value={draft.pickup}
        onChange={(event) => set({ pickup: event.target.value as boolean })}
        options={[
          { value: false, label: t('phone_orders.way_delivery') },
          { value: true, label: t('phone_orders.way_pickup') },
        ]}
      />
      {!draft.pickup && (
        <>
          <KnownAddresses form={form} customer={customer} />
          <AddressFields
            key={order.call}
            address={draft.address}
            onChange={(name, text) => set(addressChange(draft, name, text), `address.${name}`)}
          />
          <Region order={order} reasons={here} book={book} />
        </>
      )}
      {draft.pickup && <Reasons reasons={here} book={book} />}
    </Card>
  );
}

/** The customer's addresses, each with one tap. */
function KnownAddresses({ form, customer }: PartProps) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const locked = useLocked();
  const { draft, set } = form;
  if (!customer || customer.addresses.length === 0) return null;
  const now = JSON.stringify(draft.address);
  return (
    <div className="phone-addresses" role="group" aria-label={t('phone_orders.known_addresses')}>
      {customer.addresses.map((address) => {
        const values = addressValues(address);
        const chosen = JSON.stringify(values) === now;
        const details = addressDetails(address).map(({ key, value }) =>
          t(`phone_orders.short_${key}`, { value }),
        );
        return (
          <Button
            key={address.id}
            icon={<EnvironmentOutlined />}
            type={chosen ? 'primary' : 'default'}
            aria-pressed={chosen}
            disabled={locked}
            onClick={() => set(knownAddress(address), 'address.street')}
          >
            {[address.name, addressLine(address, language), ...details].filter(Boolean).join(' · ')}
          </Button>
        );
      })}
    </div>
  );
}

/** Who delivers to the address; where nobody does, or the cart is too small, what staff may do about it. */
function Region({ order, reasons, book }: Pick<Props, 'order' | 'book'> & { reasons: readonly Reason[] }) {
  const { t } = useTranslation();
  const { set, read } = order.form;
  const { draft, check, stale, error, fallback } = order.region;
  const locked = useLocked();
  const against = check?.reason !== undefined && check.reason !== null;
  // A cart that has just been begun is below every minimum: what to do about it is asked once it is known where to.
  const found = check && (!draft.by_hand || fallback) ? check : undefined;
  // Where that is said of the address already, it is not said again.
  const others = found?.reason ? reasons.filter(({ reason }) => reason !== 'no_delivery_there') : reasons;
  // Delivered anyway, in no region: nobody's fee is charged.
  const free = draft.override && against && !draft.by_hand;
  const asks = against || (isPlaced(draft) && reasons.some(canOverride)) || draft.by_hand || draft.override;
  return (
    <>
      <div className="phone-region" role="status" data-stale={stale} aria-busy={stale}>
        {error !== undefined && <ProblemAlert error={error} />}
        {found && <Found check={found} postcode={draft.address.postcode} />}
      </div>
      <Reasons reasons={others} book={book} />
      {asks && (
        <div className="phone-choices" role="group" aria-label={t('phone_orders.no_region_what')}>
          <div className="phone-buttons">
            <Button
              aria-pressed={draft.override}
              type={draft.override ? 'primary' : 'default'}
              disabled={locked}
              onClick={() => {
                set({ override: !draft.override }, 'override_reason');
                if (!draft.override) focusSoon('override_reason');
              }}
            >
              {t('phone_orders.anyway')}
            </Button>
            <Button
              aria-pressed={draft.by_hand === true}
              type={draft.by_hand ? 'primary' : 'default'}
              disabled={locked}
              onClick={() => {
                set({ by_hand: !draft.by_hand }, 'delivery_region_id');
                if (!draft.by_hand) focusSoon('delivery_region_id');
              }}
            >
              {t('phone_orders.by_hand')}
            </Button>
            <Button
              disabled={locked}
              onClick={() => {
                set({ pickup: true });
                focusNextSoon(read);
              }}
            >
              {t('phone_orders.pickup_instead')}
            </Button>
          </div>
          {draft.override && (
            <TextField
              path="override_reason"
              label={t('phone_orders.override_reason')}
              help={t('phone_orders.override_reason_help')}
              required
              maxLength={200}
              value={draft.override_reason}
              onChange={(override_reason) => set({ override_reason })}
            />
          )}
          {free && <Alert type="warning" showIcon role="status" title={t('phone_orders.no_region_no_fee')} />}
          {(draft.by_hand || free) && <ByHand order={order} required={draft.by_hand === true} />}
        </div>
      )}
    </>
  );
}

interface FoundProps {
  check: DeliveryCheck;
  postcode: string;
}

function Found({ check: { winner, reason, geocoded }, postcode }: FoundProps) {
  const { t } = useTranslation();
  const { money } = useFormat();
  if (!winner)
    return reason ? (
      <>
        <p>
          <Chip tone="warning" icon={<StopOutlined aria-hidden />}>
            {t(`phone_orders.region_${reason}`)}
          </Chip>{' '}
          {geocoded && <span className="edit-help">{t('phone_orders.geocoded')}</span>}
        </p>
        {!postcode.trim() && (
          <p>
            {t('phone_orders.no_postcode')}{' '}
            <Button type="link" size="small" onClick={() => focusNow('address.postcode')}>
              {t('phone_orders.to_postcode')}
            </Button>
          </p>
        )}
      </>
    ) : null;
  const small = Number(winner.threshold_price ?? 0) > 0 && Number(winner.price_under_threshold ?? 0) > 0;
  return (
    <p>
      <Chip tone="success" icon={<CheckCircleOutlined aria-hidden />}>
        {winner.name}
      </Chip>{' '}
      <b className="num">{money(winner.price)}</b>{' '}
      <span className="edit-help">
        {geocoded && t('phone_orders.geocoded')}{' '}
        {Number(winner.min_order_price) > 0 &&
          t('phone_orders.minimum', { minimum: money(winner.min_order_price) })}{' '}
        {small &&
          t('phone_orders.under', {
            threshold: money(winner.threshold_price),
            price: money(winner.price_under_threshold),
          })}
      </span>
    </p>
  );
}
