import {
  CopyOutlined,
  DeleteOutlined,
  EditOutlined,
  MinusCircleOutlined,
  WarningOutlined,
} from '@ant-design/icons';
import { useQueryClient } from '@tanstack/react-query';
import { Alert } from 'antd';
import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { useCan } from '../../lib/access';
import { later } from '../../lib/later';
import { usePage, usePageUrl } from '../../lib/navigation';
import { orderName } from '../../lib/orderName';
import { readKey, useForget, useRead } from '../../lib/query';
import { Button } from '../../lib/ui/Button';
import { Card, PageHeader } from '../../lib/ui/page';
import { ErrorState, Loading } from '../../lib/ui/states';
import { AcceptButtons } from './AcceptButtons';
import { readOrder } from './api';
import { ArchiveDialog } from './ArchiveDialog';
import { Basket, PriceSummary, VatSummary } from './Basket';
import { loadChangeDrawer } from './change/load';
import { itemsOf, lookAt } from './change/seen';
import { ChannelChip } from './Channel';
import { Facts } from './Facts';
import { History } from './History';
import { ItemsChanged } from './change/ItemsChanged';
import { canAccept, canReplace, type Order } from './model';
import { OrderButtons } from './OrderButtons';
import { Marks, useOrderWords } from './parts';
import { isAlive, isChild } from './payments/model';
import { PaymentsCard } from './payments/PaymentsCard';
import { reasonOf, useReasonWords } from './reasons';
import { StatusChip } from './StatusChip';
import { Stornos } from './storno/Stornos';
import { useLiveReload } from './useLiveReload';
import { type OrderActions, useOrderActions } from './useOrderActions';
import { useStornoRight } from './useStornoRight';
import './order.css';

const StornoDialog = later(() => import('./storno/StornoDialog'));
const ChangeDrawer = later(loadChangeDrawer);

/** `/r/{restaurant}/{slug}/{orderId}`: one order, live. */
export default function OrderPage() {
  const { path } = usePage();
  const id = path[0] ?? '';
  return <OrderView key={id} id={id} />;
}

/** Back to where one came from; a pasted link goes to the fresh orders. */
function useBack(): () => void {
  const navigate = useNavigate();
  const url = usePageUrl();
  return () => {
    const place = (history.state as { idx?: number } | null)?.idx ?? 0;
    void (place > 0 ? navigate(-1) : navigate(url('fresh_orders')));
  };
}

/** The order, live, and what may be done with it. */
function useOrder(id: string) {
  const client = useQueryClient();
  const forget = useForget();
  const own = readKey('ordersGet', id);
  const query = useRead<Order>(own, ({ signal }) => readOrder(id, signal), {
    staleTime: 0,
  });
  const reload = () => void forget([own]);
  useLiveReload(reload, (event) => event.order_id === id || event.replaces_id === id);
  // The answer of a call has no history: reading again brings it.
  const actions = useOrderActions(reload, (done) =>
    client.setQueryData<Order>(own, (old) => ({ ...done, history: old?.history ?? null })),
  );
  return { order: query.data, error: query.error, reload, actions };
}

function OrderView({ id }: { id: string }) {
  const { t } = useTranslation();
  const words = useOrderWords();
  const back = useBack();
  const [archiving, setArchiving] = useState(false);
  const [changing, setChanging] = useState(false);
  const { order, error, reload, actions } = useOrder(id);
  // Who has it before them has looked at what was changed.
  useEffect(() => {
    if (!order) return;
    lookAt(order);
    lookAt(itemsOf(order));
  }, [order]);

  if (error && !order) return <LoadFailure error={error} onRetry={reload} />;
  if (!order)
    return (
      <Card>
        <Loading rows={10} />
      </Card>
    );
  return (
    <div className="order">
      <PageHeader
        title={isChild(order) ? t('order.child_title') : words.name(order)}
        mark={
          <>
            <StatusChip order={order} />
            <ChannelChip platform={order.platform} />
            <Marks order={order} />
          </>
        }
        actions={
          <OrderButtons
            order={order}
            actions={actions}
            onBack={back}
            onArchive={() => setArchiving(true)}
            onChange={() => setChanging(true)}
          />
        }
      />
      {order.status === 'received' && !order.archived_at && <Unpaid />}
      {isChild(order) && <Child order={order} />}
      {order.archived_at && !isChild(order) && <Archived order={order} />}
      <ItemsChanged order={order} />
      <div className="order-columns">
        <BasketColumn order={order} onChanged={reload} />
        <FactsColumn order={order} actions={actions} onChanged={reload} />
      </div>
      {changing && (
        <Suspense>
          <ChangeDrawer order={order} onChanged={reload} onClose={() => setChanging(false)} />
        </Suspense>
      )}
      {archiving && <ArchiveDialog order={order} actions={actions} onClose={() => setArchiving(false)} />}
    </div>
  );
}

/** The order could not be read, or is not there. */
const LoadFailure = ({ error, onRetry }: { error: Error; onRetry: () => void }) => (
  <>
    <PageHeader />
    <Card>
      <ErrorState error={error} onRetry={onRetry} />
    </Card>
  </>
);

/** The ordered items and their prices. */
function BasketColumn({ order, onChanged }: { order: Order; onChanged: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="order-main">
      <Card
        title={t('order.basket')}
        className="order-basket"
        extra={!isChild(order) && <BasketButtons order={order} onChanged={onChanged} />}
      >
        <Basket order={order} />
        {order.message && <p className="order-message remark">{order.message}</p>}
        <PriceSummary order={order} />
      </Card>
      {order.vats.length > 0 && (
        <Card
          title={t(order.stornos?.length ? 'order.vat_summary_left' : 'order.vat_summary')}
          className="order-vats-card"
        >
          <VatSummary order={order} />
        </Card>
      )}
      <Stornos order={order} />
    </div>
  );
}

/** Another order of the same, and cancelling pieces. */
function BasketButtons({ order, onChanged }: { order: Order; onChanged: () => void }) {
  const { t } = useTranslation();
  const can = useCan();
  const url = usePageUrl();
  const storno = useStornoRight();
  const [taking, setTaking] = useState(false);
  return (
    <div className="order-basket-buttons">
      {can('fresh_order', 'order_accept', 'pos') && canReplace(order) && (
        <Link to={url('phone_orders', undefined, { change: order.id })}>
          <Button size="small" icon={<EditOutlined />} tabIndex={-1}>
            {t('order.change_items')}
          </Button>
        </Link>
      )}
      {can('fresh_order', 'order_accept', 'pos') && (
        <Link to={url('phone_orders', undefined, { copy: order.id })}>
          <Button size="small" icon={<CopyOutlined />} tabIndex={-1}>
            {t('order.copy')}
          </Button>
        </Link>
      )}
      {isAlive(order) && storno.may && (
        <Button size="small" danger icon={<MinusCircleOutlined />} onClick={() => setTaking(true)}>
          {t('order.pieces_take')}
        </Button>
      )}
      {taking && (
        <Suspense>
          <StornoDialog order={order} onChanged={onChanged} onClose={() => setTaking(false)} />
        </Suspense>
      )}
    </div>
  );
}

/** Accepting, payments, who and where, history. */
function FactsColumn({
  order,
  actions,
  onChanged,
}: {
  order: Order;
  actions: OrderActions;
  onChanged: () => void;
}) {
  const { t } = useTranslation();
  const can = useCan();
  return (
    <div className="order-side">
      {canAccept(order) && can('order_accept') && (
        <Card className="order-accept">
          <AcceptButtons
            order={order}
            busy={actions.busy(order.id)}
            onAccept={(minutes) => void actions.accept(order, minutes)}
          />
        </Card>
      )}
      {!isChild(order) && <PaymentsCard order={order} onChanged={onChanged} />}
      <Card title={t('order.facts')} className="order-facts-card">
        <Facts order={order} />
      </Card>
      {order.history && order.history.length > 0 && (
        <Card title={t('order.history')} className="order-history-card">
          <History order={order} entries={order.history} />
        </Card>
      )}
    </div>
  );
}

function Unpaid() {
  const { t } = useTranslation();
  return (
    <Alert
      className="order-notice"
      type="warning"
      showIcon
      icon={<WarningOutlined />}
      title={t('order.unpaid')}
      description={t('order.unpaid_text')}
    />
  );
}

/** A partial storno: pieces that another order has less. */
function Child({ order }: { order: Order }) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const why = useReasonWords().why(reasonOf(order));
  return (
    <Alert
      className="order-notice"
      type="info"
      showIcon
      title={t('order.child_text')}
      description={
        <>
          {why && <p>{why}</p>}
          <Link to={url('order_page', order.order_parent_id ?? '')}>{t('order.child_parent')}</Link>
        </>
      }
    />
  );
}

function Archived({ order }: { order: Order }) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const why = useReasonWords().why(reasonOf(order));
  if (order.replaced_by_id)
    return (
      <Alert
        className="order-notice"
        type="info"
        showIcon
        title={t('order.replaced')}
        description={
          <Link to={url('order_page', order.replaced_by_id)}>
            {t('order.replaced_by', { order: orderName(t, order.replaced_by_counter) })}
          </Link>
        }
      />
    );
  return (
    <Alert
      className="order-notice"
      type="error"
      showIcon
      icon={<DeleteOutlined />}
      title={t('order.archived')}
      description={why || undefined}
    />
  );
}
