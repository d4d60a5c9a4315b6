import {
  ArrowLeftOutlined,
  CheckOutlined,
  DeleteOutlined,
  PrinterOutlined,
  UndoOutlined,
  WarningOutlined,
} from '@ant-design/icons';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Alert } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useCan } from '../../lib/access';
import { ApiError } from '../../lib/http';
import { usePage, usePageUrl } from '../../lib/navigation';
import { readAnew } from '../../lib/providers/reading';
import { Button } from '../../lib/ui/Button';
import { Card, Chip, PageHeader, type Tone } from '../../lib/ui/page';
import { Loading, ProblemAlert } from '../../lib/ui/states';
import { AcceptButtons } from './AcceptButtons';
import { readOrder } from './api';
import { ArchiveDialog } from './ArchiveDialog';
import { Basket, PriceSummary, VatSummary } from './Basket';
import { ChannelChip } from './Channel';
import { Facts, History, Payments } from './Facts';
import { canAccept, canArchive, canPrepare, canRecall, canTakeBack, type Order } from './model';
import { Marks, useOrderWords } from './parts';
import { useLiveReload } from './useLiveReload';
import { useOrderActions } from './useOrderActions';
import { usePrintItems } from './usePrint';
import { DropMenu } from '../../lib/ui/DropMenu';
import './order.css';

/** An archived order is a storno; succeeded and processed have no label. */
const STATUS_TONE: Partial<Record<Order['status'], Tone>> = {
  received: 'warning',
  prepared: 'success',
  canceled: 'neutral',
  expired: 'neutral',
  failed: 'error',
};

function StatusChip({ order }: { order: Order }) {
  const { t } = useTranslation();
  if (order.archived_at)
    return (
      <Chip tone="error" icon={<DeleteOutlined aria-hidden />}>
        {t('order.status_archived')}
      </Chip>
    );
  const tone = STATUS_TONE[order.status];
  return tone ? <Chip tone={tone}>{t(`order.status_${order.status}`)}</Chip> : null;
}

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

function OrderView({ id }: { id: string }) {
  const { t } = useTranslation();
  const words = useOrderWords();
  const can = useCan();
  const back = useBack();
  const client = useQueryClient();
  const printItems = usePrintItems();
  const [archiving, setArchiving] = useState(false);

  const key = useMemo(() => ['orders', 'one', id], [id]);
  const {
    data: order,
    error,
    isPending,
  } = useQuery<Order>({ queryKey: key, queryFn: ({ signal }) => readOrder(id, signal), staleTime: 0 });
  const reload = () => void readAnew(client, key);
  useLiveReload(reload, (event) => event.order_id === id);
  // The answer of a call has no history: reading again brings it.
  const actions = useOrderActions(reload, (done) =>
    client.setQueryData<Order>(key, (old) => ({ ...done, history: old?.history ?? null })),
  );

  // On load failure only the error shows, and dismissing it goes back.
  if (error && !order) {
    const missing = error instanceof ApiError && error.status === 404;
    return (
      <ProblemAlert
        error={error}
        onClose={back}
        action={
          !missing && (
            <Button size="small" onClick={reload}>
              {t('action.retry')}
            </Button>
          )
        }
      />
    );
  }
  if (isPending || !order)
    return (
      <Card>
        <Loading rows={10} />
      </Card>
    );

  const mayAccept = canAccept(order) && can('order_accept');
  const mayArchive = canArchive(order) && can('order_storno');
  const mayPrepare = can('order_accept');
  const busy = actions.busy(order.id);
  return (
    <div className="order">
      <PageHeader
        title={words.name(order)}
        mark={
          <>
            <StatusChip order={order} />
            <ChannelChip platform={order.platform} />
            <Marks order={order} />
          </>
        }
        actions={
          <>
            <Button icon={<ArrowLeftOutlined />} onClick={back}>
              {t('action.back')}
            </Button>
            <DropMenu menu={{ items: printItems(order) }}>
              <Button icon={<PrinterOutlined />}>{t('order.print')}</Button>
            </DropMenu>
            {mayPrepare && canPrepare(order) && (
              <Button
                type="primary"
                icon={<CheckOutlined />}
                disabled={busy}
                onClick={() => void actions.prepare(order)}
              >
                {t('order.prepare')}
              </Button>
            )}
            {mayPrepare && canTakeBack(order) && (
              <Button icon={<UndoOutlined />} disabled={busy} onClick={() => void actions.takeBack(order)}>
                {t('order.take_back')}
              </Button>
            )}
            {mayPrepare && canRecall(order) && (
              <Button
                icon={<UndoOutlined />}
                disabled={busy}
                onClick={() => void actions.prepare(order, false)}
              >
                {t('order.recall')}
              </Button>
            )}
            {mayArchive && (
              <Button danger icon={<DeleteOutlined />} disabled={busy} onClick={() => setArchiving(true)}>
                {mayAccept ? t('order.refuse') : t('order.storno')}
              </Button>
            )}
          </>
        }
      />
      {order.status === 'received' && !order.archived_at && (
        <Alert
          className="order-notice"
          type="warning"
          showIcon
          icon={<WarningOutlined />}
          title={t('order.unpaid')}
          description={t('order.unpaid_text')}
        />
      )}
      {order.archived_at && <Archived order={order} />}
      <div className="order-columns">
        <div className="order-main">
          <Card title={t('order.basket')} className="order-basket">
            <Basket order={order} />
            {order.message && <p className="order-message remark">{order.message}</p>}
            <PriceSummary order={order} />
          </Card>
          {order.vats.length > 0 && (
            <Card title={t('order.vat_summary')} className="order-vats-card">
              <VatSummary order={order} />
            </Card>
          )}
        </div>
        <div className="order-side">
          {mayAccept && (
            <Card className="order-accept">
              <AcceptButtons
                order={order}
                busy={busy}
                onAccept={(minutes) => void actions.accept(order, minutes)}
              />
            </Card>
          )}
          <Card title={t('order.facts')} className="order-facts-card">
            <Facts order={order} />
          </Card>
          <Card title={t('order.payments')} className="order-payments-card">
            <Payments order={order} />
          </Card>
          {order.history && order.history.length > 0 && (
            <Card title={t('order.history')} className="order-history-card">
              <History order={order} entries={order.history} />
            </Card>
          )}
        </div>
      </div>
      {archiving && <ArchiveDialog order={order} actions={actions} onClose={() => setArchiving(false)} />}
    </div>
  );
}

function Archived({ order }: { order: Order }) {
  const { t } = useTranslation();
  const why = [order.archive_reason && t(`order.reason_${order.archive_reason}`), order.archive_reason_text]
    .filter(Boolean)
    .join(': ');
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
