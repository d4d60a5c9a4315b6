import { BellOutlined, CheckCircleOutlined, FilterOutlined, SoundOutlined } from '@ant-design/icons';
import { type KeyboardEventHandler, type ReactElement, type RefObject, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../lib/ui/Button';
import { Card } from '../../lib/ui/page';
import { EmptyState, ErrorState, Loading } from '../../lib/ui/states';
import type { OrderRow } from '../order/model';
import { tryBell } from './BoardNotices';
import type { FreshOrderLists, Progress } from './useFreshOrders';
import { useMasonry } from './useMasonry';

interface Props {
  orders: FreshOrderLists;
  /** The element that holds the cards. */
  boardRef: RefObject<HTMLDivElement | null>;
  onKeyDown: KeyboardEventHandler;
  card: (order: OrderRow) => ReactElement;
  /** Of the bell, 0 to 1. */
  volume: number;
  /** Shows all orders again; undefined while none are hidden. */
  onClearFilter: (() => void) | undefined;
}

/** The two lists, or why there are none. */
export function OrderLists({ orders, boardRef, onKeyDown, card, volume, onClearFilter }: Props) {
  const { t } = useTranslation();
  if (orders.loading)
    return (
      <Card>
        <Loading rows={8} />
      </Card>
    );
  if (orders.failed && orders.loaded === 0)
    return (
      <Card>
        <ErrorState error={orders.error} onRetry={() => void orders.reload()} />
      </Card>
    );
  if (orders.empty) return <NoOrders volume={volume} />;
  const hidden = onClearFilter && orders.unaccepted.length + orders.accepted.length === 0;
  const { succeeded, processed } = orders.progress;
  return (
    <div ref={boardRef} onKeyDown={onKeyDown}>
      {hidden ? (
        <AllHidden onClear={onClearFilter} />
      ) : (
        <Unaccepted
          orders={orders.unaccepted}
          more={succeeded.more}
          filtered={Boolean(onClearFilter)}
          card={card}
        />
      )}
      <LoadMore list={succeeded} name={t('fresh.unaccepted')} fetching={orders.fetching} />
      {(orders.accepted.length > 0 || processed.more) && (
        <Accepted orders={orders.accepted} more={processed.more} card={card} />
      )}
      <LoadMore list={processed} name={t('fresh.accepted')} fetching={orders.fetching} />
    </div>
  );
}

function NoOrders({ volume }: { volume: number }) {
  const { t } = useTranslation();
  return (
    <Card>
      <EmptyState
        icon={<BellOutlined />}
        title={t('fresh.empty')}
        text={t('fresh.empty_text')}
        actions={
          <Button icon={<SoundOutlined />} onClick={() => tryBell(volume)}>
            {t('fresh.test_sound')}
          </Button>
        }
      />
    </Card>
  );
}

function AllHidden({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation();
  return (
    <Card>
      <EmptyState
        icon={<FilterOutlined />}
        title={t('fresh.filter_empty')}
        text={t('fresh.filter_empty_text')}
        actions={<Button onClick={onClear}>{t('action.clear_filters')}</Button>}
      />
    </Card>
  );
}

interface UnacceptedProps extends Pick<Props, 'card'> {
  orders: OrderRow[];
  /** Some are not read yet. */
  more: boolean;
  /** Some may be hidden. */
  filtered: boolean;
}

function Unaccepted({ orders, more, filtered, card }: UnacceptedProps) {
  const { t } = useTranslation();
  return (
    <section className="fresh-list" aria-labelledby="fresh-unaccepted">
      <h2 id="fresh-unaccepted">
        {t('fresh.unaccepted')}{' '}
        <span className="fresh-count" data-attention={orders.length > 0}>
          {orders.length}
          {more && '+'}
        </span>
      </h2>
      {orders.length > 0 ? (
        <Cards>{orders.map(card)}</Cards>
      ) : (
        <p className="fresh-done">
          <CheckCircleOutlined aria-hidden /> {t(filtered ? 'fresh.filter_accepted' : 'fresh.all_accepted')}
        </p>
      )}
    </section>
  );
}

function Accepted({ orders, more, card }: { orders: OrderRow[]; more: boolean; card: Props['card'] }) {
  const { t } = useTranslation();
  return (
    <section className="fresh-list" aria-labelledby="fresh-accepted">
      <h2 id="fresh-accepted">
        {t('fresh.accepted')}{' '}
        <span className="fresh-count">
          {orders.length}
          {more && '+'}
        </span>
      </h2>
      <Cards>{orders.map(card)}</Cards>
    </section>
  );
}

interface LoadMoreProps {
  list: Progress;
  name: string;
  fetching: boolean;
}

/** The rest of a list, where there is one. */
function LoadMore({ list, name, fetching }: LoadMoreProps) {
  const { t } = useTranslation();
  if (!list.more) return null;
  return (
    <div className="fresh-more">
      <Button
        size="large"
        loading={fetching}
        onClick={list.load}
        aria-label={t('fresh.load_more_of', { list: name })}
      >
        {t('fresh.load_more')}
      </Button>
      <span>{t('fresh.loaded', { loaded: list.loaded, total: list.total })}</span>
    </div>
  );
}

function Cards({ children }: { children: ReactElement[] }) {
  const list = useRef<HTMLUListElement>(null);
  useMasonry(list, children.map((child) => child.key).join());
  return (
    <ul className="fresh-cards" ref={list}>
      {children.map((child) => (
        <li key={child.key}>{child}</li>
      ))}
    </ul>
  );
}
