import { CheckCircleFilled } from '@ant-design/icons';
import { Alert, type InputRef } from 'antd';
import { Suspense, useCallback, useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import type { CustomerOrder, Order } from '../../generated/model';
import { FieldStateContext, fieldId, useFault } from '../../lib/form/fieldState';
import { useFormat } from '../../lib/format';
import { later } from '../../lib/later';
import { usePageUrl } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { Card, PageHeader } from '../../lib/ui/page';
import { EmptyState, QueryFallback } from '../../lib/ui/states';
import { isByPhone, useBook, usePaymentMethods } from '../order-taking/api';
import type { Book } from '../order-taking/menu';
import { MenuPanel } from '../order-taking/MenuPanel';
import { OptionsDialog } from '../order-taking/OptionsDialog';
import { PriceChangedDialog } from '../order-taking/PriceChanged';
import type { Missing } from '../order-taking/again';
import { type Place, placeOf, type Reason } from '../order-taking/reasons';
import { loadChangeItems } from './change-items/load';
import { DeliveryPart } from './DeliveryPart';
import { focusFirst } from './focus';
import { GuestFold, useGuestFold } from './GuestFold';
import { GuestPart } from './GuestPart';
import { NotAdded } from './NotAdded';
import { Shortcuts } from './Shortcuts';
import { CartPart, SendBar } from './Summary';
import { TermsPart } from './TermsPart';
import { type CartWork, useCart } from './useCart';
import { useCopy } from './useCopy';
import { useKeys } from './useKeys';
import { type PhoneOrder, usePhoneOrder } from './usePhoneOrder';
import '../../lib/form/draft.css';
import './phone.css';
import { orderName } from '../../lib/orderName';

/** Where something can be done about a reason: the first of these that is on the screen. */
const HELPS: Record<Place, readonly string[]> = {
  item: ["[data-wrong='true'] .taking-line-buttons button"],
  when: ['#field-expected_at', '#field-later input:checked'],
  delivery: ['#field-override_reason', '.phone-choices button', '#field-pickup input:checked'],
  coupon: ['#field-coupon_code'],
  payment: ['#field-payment_method_id input'],
  order: [],
};

function focusReason([first]: readonly Reason[]) {
  if (first) focusFirst(HELPS[placeOf(first)]);
}

const ChangeItems = later(loadChangeItems);

/** Orders on the phone, or other items for an order that the address names. */
export default function PhoneOrders() {
  const changed = useSearchParams()[0].get('change');
  if (!changed) return <NewOrders />;
  return (
    <Suspense>
      <ChangeItems key={changed} id={changed} />
    </Suspense>
  );
}

/** An order on the phone: who, where, what, for how much; then the next one. */
function NewOrders() {
  const { t } = useTranslation();
  const number = useRef<InputRef>(null);
  const { query, book, restaurant } = useBook('phone');
  const payment = usePaymentMethods();
  const methods = payment.data;
  const phoneMethods = useMemo(() => methods?.filter(isByPhone) ?? [], [methods]);
  const order = usePhoneOrder({
    restaurant,
    methods: phoneMethods,
    onNext: () => {
      void query.refetch();
      // After what takes the focus back: the dialog that asked, the field that was sent.
      setTimeout(() => number.current?.focus(), 100);
    },
    onReasons: focusReason,
  });
  const { guest } = order;
  const cart = useCart(order.form, book, guest.customer);
  const copy = useCopy(order, query.data ? book : undefined);
  const search = useSearchField();
  const { faults } = order.form;
  const { saving, unknown } = order.state;
  const busy = saving || unknown;
  const state = useMemo(() => ({ faults, busy, locked: busy }), [faults, busy]);
  const over = cart.open !== undefined || order.change !== undefined;
  const fold = useGuestFold(order);
  const again = (one: CustomerOrder) => order.fill(cart.again(one));
  useKeys({ order, onMenu: search.focus, onGuest: fold.unfold, enabled: !over });
  // The first thing that is said is the number.
  useEffect(() => {
    if (!matchMedia('(pointer: coarse)').matches) number.current?.focus();
  }, []);

  return (
    <div className="phone-page">
      <PageHeader mark={<Shortcuts />} actions={<Restart order={order} />} />
      <div role="status">
        {order.taken && <Taken order={order.taken} />}
        {order.restored && !order.maybeSent && (
          <Alert className="page-alert" type="info" showIcon title={t('phone_orders.restored')} />
        )}
        {order.form.dirty && copy.missing && <Copied missing={copy.missing} onClose={copy.forget} />}
      </div>
      <div className="sr-only" role="status" aria-live="polite">
        {cart.spoken}
      </div>
      <FieldStateContext.Provider value={state}>
        <div className="phone-columns">
          <GuestFold order={order} fold={fold} onAgain={again}>
            <GuestPart key={order.call} form={order.form} guest={guest} inputRef={number} onAgain={again} />
            <DeliveryPart order={order} customer={guest.customer} book={book} />
          </GuestFold>
          <div className="phone-column">
            <Card title={t('taking.menu')} className="phone-part">
              {query.data ? (
                // What was searched for the guest before goes with the guest.
                <Menu key={order.call} book={book} cart={cart} inputRef={search.ref} />
              ) : (
                <QueryFallback query={query} rows={8} />
              )}
            </Card>
          </div>
          <div className="phone-column phone-last-column">
            <div className="phone-scroll">
              <CartPart order={order} book={book} cart={cart} />
              <TermsPart order={order} book={book} restaurant={restaurant} payment={payment} />
            </div>
            <SendBar order={order} book={book} onSend={() => void order.send()} />
          </div>
        </div>
      </FieldStateContext.Provider>
      <Dialogs order={order} cart={cart} />
    </div>
  );
}

/** The search of the menu, which may be asked for before the menu is there. */
function useSearchField() {
  const field = useRef<InputRef>(null);
  const wanted = useRef(false);
  const ref = useCallback((now: InputRef | null) => {
    field.current = now;
    if (now && wanted.current) now.focus({ cursor: 'all' });
    wanted.current = false;
  }, []);
  const focus = () => {
    wanted.current = field.current === null;
    field.current?.focus({ cursor: 'all' });
  };
  return { ref, focus };
}

function Menu({ book, cart, inputRef }: { book: Book; cart: CartWork; inputRef: React.Ref<InputRef> }) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const wrong = useFault('cart') !== undefined;
  if (book.sections.length === 0)
    return (
      <EmptyState
        title={t('phone_orders.no_menu')}
        text={t('phone_orders.no_menu_text')}
        actions={<Link to={url('categories_and_products')}>{t('phone_orders.to_menu')}</Link>}
      />
    );
  return (
    <MenuPanel
      id={fieldId('cart')}
      wrong={wrong}
      book={book}
      inputRef={inputRef}
      onAdd={cart.add}
      last={cart.last}
    />
  );
}

function Dialogs({ order, cart }: { order: PhoneOrder; cart: CartWork }) {
  const { t } = useTranslation();
  const { open } = cart;
  return (
    <>
      {open && (
        <OptionsDialog
          channel="phone"
          entry={open.entry}
          initial={open.initial}
          verb={t(open.line ? 'taking.apply' : 'taking.add')}
          onDone={cart.said}
          onClose={cart.close}
        />
      )}
      {order.change && (
        <PriceChangedDialog change={order.change} onAccept={order.acceptChange} onClose={order.dropChange} />
      )}
    </>
  );
}

/** An order was copied: all of it, or what the menu lacks by now. */
function Copied({ missing, onClose }: { missing: readonly Missing[]; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="page-alert">
      {missing.length > 0 ? (
        <NotAdded missing={missing} onClose={onClose} />
      ) : (
        <Alert
          type="info"
          showIcon
          title={t('phone_orders.copied')}
          closable={{ onClose, 'aria-label': t('action.close') }}
        />
      )}
    </div>
  );
}

/** The order that was taken last, by its number. */
function Taken({ order }: { order: Order }) {
  const { t } = useTranslation();
  const { money, dateTime } = useFormat();
  const url = usePageUrl();
  return (
    <p className="phone-taken">
      <CheckCircleFilled aria-hidden />
      <b>
        {t(order.status === 'processed' ? 'phone_orders.taken_accepted' : 'phone_orders.taken', {
          order: orderName(t, order.counter),
          total: money(order.total_price),
          at: order.expected_at ? dateTime(order.expected_at) : '',
        })}
      </b>
      <Link to={url('fresh_orders')}>{t('phone_orders.to_fresh')}</Link>
    </p>
  );
}

/** Gives up what was said: the caller hung up. */
function Restart({ order }: { order: PhoneOrder }) {
  const { t } = useTranslation();
  const notify = useNotify();
  if (!order.form.dirty) return null;
  const ask = async () => {
    const sure = await notify.confirm({
      title: t('phone_orders.restart_question'),
      effect: t('phone_orders.restart_effect'),
      verb: t('phone_orders.restart'),
    });
    if (sure) order.restart();
  };
  return (
    <Button disabled={order.state.saving} onClick={() => void ask()}>
      {t('phone_orders.restart')}
    </Button>
  );
}
