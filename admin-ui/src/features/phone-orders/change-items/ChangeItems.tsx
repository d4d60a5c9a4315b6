import { SaveOutlined } from '@ant-design/icons';
import { Alert } from 'antd';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import type { Cart, MenuChannel, Order, OrderItemsChange } from '../../../generated/model';
import { useFormat } from '../../../lib/format';
import { FieldStateContext, fieldId, useFault } from '../../../lib/form/fieldState';
import { FormAlert } from '../../../lib/form/FormAlert';
import { type Draft, useDraft } from '../../../lib/form/useDraft';
import { useSave } from '../../../lib/form/useSave';
import { ApiError } from '../../../lib/http';
import { useHotkey } from '../../../lib/hooks';
import { usePageUrl } from '../../../lib/navigation';
import { readKey, useRead } from '../../../lib/query';
import { Button } from '../../../lib/ui/Button';
import { useNotify } from '../../../lib/ui/notify';
import { Card, PageHeader } from '../../../lib/ui/page';
import { ErrorState, Loading, QueryFallback } from '../../../lib/ui/states';
import { readOrder } from '../../order/api';
import { withPin } from '../../order/ApproverPin';
import { ChangePin } from '../../order/change/ChangePin';
import { Facts } from '../../order/Facts';
import { canReplace, fulfilment } from '../../order/model';
import { useOrderWords } from '../../order/parts';
import { useBook } from '../../order-taking/api';
import { CartList } from '../../order-taking/CartList';
import { MenuPanel } from '../../order-taking/MenuPanel';
import { OptionsDialog } from '../../order-taking/OptionsDialog';
import { withChoice } from '../../order-taking/promotions';
import { QuoteView, Total } from '../../order-taking/QuoteView';
import type { Book } from '../../order-taking/menu';
import { type Reason, reasonsAt } from '../../order-taking/reasons';
import { Reasons } from '../../order-taking/Reasons';
import type { RunningQuote } from '../../order-taking/useQuote';
import { TextField } from '../fields';
import { useCart } from '../useCart';
import { replaceOrder, useItemsQuote } from './api';
import { contentOf, differs, draftOf, faultsOf, giftsOf, type ItemsDraft } from './draft';
import '../../../lib/form/draft.css';
import '../../order/order.css';
import '../phone.css';

/** After these the price that is shown does not hold any more. */
const PRICED_ANEW = ['ORDER_PRICE_CHANGED', 'ORDER_NOT_ACCEPTABLE'];

/** The menu by which an order was taken. */
const channelOf = (order: Order): MenuChannel =>
  fulfilment(order) === 'here' ? 'sit_in' : order.platform === 'phone' ? 'phone' : 'online';

/** Other items for an order: the phone order with everything of the old one; another order takes its place. */
export default function ChangeItems({ id }: { id: string }) {
  const query = useRead(readKey('ordersGet', 'items_changed', id), ({ signal }) => readOrder(id, signal), {
    staleTime: Infinity,
    gcTime: 0,
  });
  if (query.data) return <Editor order={query.data} />;
  return (
    <>
      <PageHeader />
      <Card>
        {query.error ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <Loading rows={10} />
        )}
      </Card>
    </>
  );
}

/** What is edited, what it would cost, and how it is sent. */
function useChange(order: Order) {
  const { t } = useTranslation();
  const notify = useNotify();
  const navigate = useNavigate();
  const url = usePageUrl();
  const words = useOrderWords();
  const form = useDraft<ItemsDraft>({
    start: () => draftOf(order),
    differ: differs,
    validate: faultsOf,
    place: (key) => (key.startsWith('items') ? 'cart' : key),
  });
  const body: OrderItemsChange = useMemo(() => contentOf(form.draft), [form.draft]);
  const running = useItemsQuote(order.id, body);
  const latest = useRef(running);
  latest.current = running;
  const save = useSave<ItemsDraft, ItemsDraft, Order>({
    values: form,
    bodyOf: (values) => values,
    send: (values, key) => {
      const total_price = latest.current.quote?.total_price;
      const told = total_price === undefined ? {} : { total_price };
      const sent: OrderItemsChange = { ...contentOf(values), version: order.version, ...told };
      return withPin(
        () => replaceOrder(order.id, sent, key, values.pin),
        () => form.set({ pin: '' }, ''),
      ).catch((failure: unknown) => {
        if (failure instanceof ApiError && PRICED_ANEW.includes(failure.code)) latest.current.retry();
        throw failure;
      });
    },
    onSaved: (now) => {
      notify.success(t('phone_orders.items_changed', { before: words.name(order), now: words.name(now) }));
      void navigate(url('order_page', now.id), { replace: true });
    },
  });
  return { form, running, save };
}

function Editor({ order }: { order: Order }) {
  const { t } = useTranslation();
  const words = useOrderWords();
  const url = usePageUrl();
  const { form, running, save } = useChange(order);
  const { query, book } = useBook(channelOf(order));
  // The cart's own part of the draft is that of a phone order.
  const cart = useCart(form as unknown as Parameters<typeof useCart>[0], book, null);
  const { faults } = form;
  const busy = save.saving || save.unknown;
  const state = useMemo(() => ({ faults, busy, locked: busy }), [faults, busy]);
  const back = url('order_page', order.id);
  if (!canReplace(order))
    return (
      <>
        <PageHeader title={t('phone_orders.change_items', { name: words.name(order) })} />
        <Alert
          type="warning"
          showIcon
          title={t('phone_orders.items_fixed')}
          action={<Link to={back}>{t('phone_orders.to_order')}</Link>}
        />
      </>
    );
  return (
    <div className="phone-page">
      <PageHeader
        title={t('phone_orders.change_items', { name: words.name(order) })}
        actions={
          <Link to={back}>
            <Button tabIndex={-1}>{t('action.cancel')}</Button>
          </Link>
        }
      />
      <FieldStateContext.Provider value={state}>
        <div className="phone-columns">
          <div className="phone-column">
            <Card title={t('phone_orders.stays')} className="phone-part">
              <Facts order={order} />
              {order.message && <p className="order-message remark">{order.message}</p>}
              <p className="edit-help">{t('phone_orders.stays_help')}</p>
            </Card>
          </div>
          <div className="phone-column">
            <Card title={t('taking.menu')} className="phone-part">
              {query.data ? <Menu book={book} cart={cart} /> : <QueryFallback query={query} rows={8} />}
            </Card>
          </div>
          <div className="phone-column phone-last-column">
            <Items order={order} form={form} running={running} book={book} cart={cart} />
            <SaveBar order={order} form={form} running={running} save={save} />
          </div>
        </div>
      </FieldStateContext.Provider>
      {cart.open && (
        <OptionsDialog
          channel={order.platform as Cart['platform']}
          entry={cart.open.entry}
          initial={cart.open.initial}
          verb={t(cart.open.line ? 'taking.apply' : 'taking.add')}
          onDone={cart.said}
          onClose={cart.close}
        />
      )}
    </div>
  );
}

interface ItemsProps extends Pick<BarProps, 'order' | 'form' | 'running'> {
  book: Book;
  cart: ReturnType<typeof useCart>;
}

/** What the order is to have, its coupon, and who allows it. */
function Items({ order, form, running, book, cart }: ItemsProps) {
  const { t } = useTranslation();
  const { draft } = form;
  const reasons = running.quote?.reasons ?? [];
  return (
    <div className="phone-scroll">
      <Card title={t('taking.cart')} className="phone-part">
        {draft.cart.lines.length === 0 && <p className="edit-help">{t('taking.cart_empty')}</p>}
        <CartList
          cart={draft.cart}
          book={book}
          priced={running.quote?.items ?? []}
          stale={running.stale}
          reasons={reasons}
          onQuantity={cart.quantity}
          onChange={cart.edit}
          onRemove={cart.remove}
        />
        <QuoteView
          running={running}
          coupon={draft.coupon_code !== ''}
          onGift={(choice) => {
            const { gift_choices: said } = draft;
            form.set({ gift_choices: withChoice(said.length > 0 ? said : giftsOf(order), choice) });
          }}
        />
      </Card>
      <Card className="phone-part">
        {order.coupon_code && (
          <Coupon order={order} form={form} reasons={reasonsAt(reasons, 'coupon')} book={book} />
        )}
        {reasonsAt(reasons, 'delivery').length + draft.override_reason.length > 0 && (
          <TextField
            path="override_reason"
            label={t('phone_orders.override_reason')}
            maxLength={200}
            value={draft.override_reason}
            onChange={(override_reason) => form.set({ override_reason })}
          />
        )}
        <ChangePin pin={form.draft.pin} onChange={(pin) => form.set({ pin })} />
      </Card>
    </div>
  );
}

function Menu({ book, cart }: { book: Book; cart: ReturnType<typeof useCart> }) {
  const wrong = useFault('cart') !== undefined;
  return <MenuPanel id={fieldId('cart')} wrong={wrong} book={book} onAdd={cart.add} last={cart.last} />;
}

/** The coupon of the order stays, unless it is taken out: where it does not apply any more it must be. */
function Coupon({ order, form, reasons, book }: Pick<BarProps, 'order' | 'form'> & ReasonsOf) {
  const { t } = useTranslation();
  const kept = form.draft.coupon_code !== '';
  return (
    <div className="phone-tip">
      <span>
        {t('phone_orders.coupon')} <b data-gone={!kept}>{order.coupon_code}</b>
      </span>
      <Button size="small" onClick={() => form.set({ coupon_code: kept ? '' : (order.coupon_code ?? '') })}>
        {t(kept ? 'phone_orders.coupon_drop' : 'phone_orders.coupon_keep')}
      </Button>
      <Reasons reasons={reasons} book={book} coupon={form.draft.coupon_code} />
    </div>
  );
}

interface ReasonsOf {
  reasons: readonly Reason[];
  book: Book;
}

interface BarProps {
  order: Order;
  form: Draft<ItemsDraft>;
  running: RunningQuote;
  save: ReturnType<typeof useChange>['save'];
}

/** The old and the new total, and the button, always in sight. */
function SaveBar({ order, form, running, save }: BarProps) {
  const { t } = useTranslation();
  const { money } = useFormat();
  const { book } = useBook(channelOf(order));
  const reasons = running.quote?.reasons ?? [];
  const ready = form.dirty && !running.stale && reasons.length === 0;
  const send = () => void save.run();
  useHotkey('ctrl+enter', send, ready);
  return (
    <section className="phone-send" aria-label={t('phone_orders.change_bar')}>
      <FormAlert state={save} />
      <Reasons reasons={reasonsAt(reasons, 'order')} book={book} coupon={form.draft.coupon_code} />
      <p className="taking-total" data-old>
        <span>{t('phone_orders.total_before')}</span>
        <b className="num">{money(order.total_price)}</b>
      </p>
      <div className="phone-send-line">
        <Total running={running} />
        <Button
          type="primary"
          size="large"
          icon={<SaveOutlined />}
          loading={save.saving}
          disabled={!ready && !save.unknown}
          onClick={send}
        >
          {t('phone_orders.change_save')}
        </Button>
      </div>
    </section>
  );
}
