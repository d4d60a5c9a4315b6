import { CheckOutlined, FolderOpenOutlined, MoreOutlined, PrinterOutlined } from '@ant-design/icons';
import { type MenuProps } from 'antd';
import { memo, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormat } from '../../lib/format';
import { usePageUrl } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { AcceptButtons } from '../order/AcceptButtons';
import { ChangedNote } from '../order/change/ChangedNote';
import { ItemsChangedNote } from '../order/change/ItemsChanged';
import { ChannelChip } from '../order/Channel';
import { isUnaccepted, type OrderRow, shownAt } from '../order/model';
import { AgeChip, ItemList, Marks, Payment, useOrderWords, WhoAndWhere } from '../order/parts';
import { totalLeft } from '../order/payments/model';
import type { Tone } from '../order/times';
import { useCustomerUrl } from '../order/useCustomerUrl';
import { usePrintItems } from '../order/usePrint';
import { DropMenu } from '../../lib/ui/DropMenu';

/** Items shown on a card; the others are folded, so that cards stay short. */
const SHOWN_ITEMS = 6;

interface CardProps {
  order: OrderRow;
  /** How urgent it is now. */
  tone: Tone;
  busy: boolean;
  /** Came just now: shown for some seconds. */
  fresh: boolean;
  /** The number leads, else the guest. */
  counterFirst: boolean;
  mayAccept: boolean;
  mayPrepare: boolean;
  mayTakeBack: boolean;
  mayArchive: boolean;
  mayChange: boolean;
  /** Opening accepts first. */
  opensByAccepting: boolean;
  onOpen: (order: OrderRow) => void;
  onAccept: (order: OrderRow, minutes: number | undefined) => void;
  onPrepare: (order: OrderRow) => void;
  onTakeBack: (order: OrderRow) => void;
  onArchive: (order: OrderRow) => void;
  onChange: (order: OrderRow) => void;
  /** A menu of the card is open. */
  onMenu: (open: boolean) => void;
}

/** One order on the board. */
export const Card = memo(function Card(props: CardProps) {
  const { order, tone, busy, fresh, counterFirst, mayAccept, onAccept } = props;
  const { money } = useFormat();
  const id = useId();
  const waiting = isUnaccepted(order);
  return (
    <article
      className="oc"
      data-order={order.id}
      data-tone={waiting ? tone : 'calm'}
      data-waiting={waiting}
      data-fresh={fresh}
      tabIndex={0}
      aria-labelledby={`${id}-name`}
      aria-busy={busy}
    >
      <CardHead {...props} nameId={`${id}-name`} />
      <ChangedNote order={order} />
      <ItemsChangedNote order={order} />
      <WhoAndWhere order={order} named={counterFirst || Boolean(order.admin_id)} />
      <div className="oc-items">
        <ItemList items={order.items ?? []} fold={SHOWN_ITEMS} />
        {order.message && <p className="oc-message remark">{order.message}</p>}
      </div>
      <footer className="oc-foot">
        <Payment order={order} />
        <b className="oc-total num">{money(totalLeft(order))}</b>
      </footer>
      {waiting && mayAccept ? (
        <AcceptButtons
          order={order}
          busy={busy}
          onAccept={(minutes) => onAccept(order, minutes)}
          extra={<MoreMenu {...props} />}
        />
      ) : (
        <CardButtons {...props} />
      )}
    </article>
  );
});

/** The name of the order, its waiting time, and its wanted time. */
function CardHead({ order, tone, counterFirst, onOpen, nameId }: CardProps & { nameId: string }) {
  const { t } = useTranslation();
  const words = useOrderWords();
  const url = usePageUrl();
  const waiting = isUnaccepted(order);
  const lead = counterFirst
    ? words.name(order)
    : order.table_name
      ? t('order.table', { name: order.table_name })
      : words.who(order);
  return (
    <>
      <header className="oc-head">
        <div className="oc-lead">
          <h3 id={nameId}>
            <Link
              className="oc-name"
              to={url('order_page', order.id)}
              onClick={(event) => {
                // A click that opens a new tab or window must not accept the order.
                if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
                event.preventDefault();
                onOpen(order);
              }}
            >
              {lead}
            </Link>
          </h3>
          {!counterFirst && <span className="oc-counter num">{words.name(order)}</span>}
          <ChannelChip platform={order.platform} />
          <Marks order={order} />
        </div>
        {waiting && <AgeChip since={shownAt(order)} tone={tone} />}
      </header>
      {order.expected_at && (
        <p className="oc-time" data-tone={waiting ? 'calm' : tone}>
          <span>{order.is_preorder ? t('fresh.wanted') : t('fresh.promised')}</span>{' '}
          <b className="num">{words.window(order.expected_at)}</b>
          {!waiting && tone === 'red' && <em>{t('fresh.late')}</em>}
        </p>
      )}
    </>
  );
}

/** The buttons of an order that is not to be accepted here: the main one with more actions, then the others. */
function CardButtons(props: CardProps) {
  const { order, busy, mayPrepare, onPrepare, onOpen, onMenu } = props;
  const { t } = useTranslation();
  const words = useOrderWords();
  const printItems = usePrintItems();
  const open = (
    <Button icon={<FolderOpenOutlined />} disabled={busy} onClick={() => onOpen(order)}>
      {t('fresh.open')}
    </Button>
  );
  return (
    <div className="oc-actions">
      <div>
        {mayPrepare ? (
          <Button
            className="oc-prepare"
            icon={<CheckOutlined />}
            loading={busy}
            disabled={busy}
            aria-label={t('fresh.prepare_of', { name: words.name(order) })}
            onClick={() => onPrepare(order)}
          >
            {t('order.prepare')}
          </Button>
        ) : (
          open
        )}
        <MoreMenu {...props} />
      </div>
      <div>
        {mayPrepare && open}
        <DropMenu menu={{ items: printItems(order) }} placement="topRight" onOpenChange={onMenu}>
          <Button icon={<PrinterOutlined />} aria-label={t('fresh.print_of', { name: words.name(order) })}>
            {t('order.print')}
          </Button>
        </DropMenu>
      </div>
    </div>
  );
}

/** What is done less often; absent where there is nothing. */
function MoreMenu({
  order,
  busy,
  mayTakeBack,
  mayArchive,
  mayChange,
  opensByAccepting,
  onOpen,
  onTakeBack,
  onArchive,
  onChange,
  onMenu,
}: CardProps) {
  const { t } = useTranslation();
  const words = useOrderWords();
  const printItems = usePrintItems();
  const customer = useCustomerUrl()(order);
  const waiting = isUnaccepted(order);
  const menu: NonNullable<MenuProps['items']> = [];
  if (waiting)
    menu.push(
      {
        key: 'open',
        label: opensByAccepting ? t('fresh.accept_and_open') : t('fresh.open'),
        onClick: () => onOpen(order),
      },
      ...printItems(order),
    );
  if (customer) menu.push({ key: 'customer', label: <Link to={customer}>{t('order.customer')}</Link> });
  if (mayChange) menu.push({ key: 'change', label: t('order.change_more'), onClick: () => onChange(order) });
  if (mayTakeBack)
    menu.push({ key: 'take_back', label: t('order.take_back'), onClick: () => onTakeBack(order) });
  if (mayArchive) {
    if (menu.length > 0) menu.push({ type: 'divider' });
    menu.push({
      key: 'archive',
      danger: true,
      label: waiting ? t('order.refuse_more') : t('order.storno_more'),
      onClick: () => onArchive(order),
    });
  }
  if (menu.length === 0) return null;
  return (
    <DropMenu menu={{ items: menu }} placement="topRight" onOpenChange={onMenu}>
      <Button
        className="accept-more oc-more"
        icon={<MoreOutlined />}
        aria-label={t('fresh.more', { name: words.name(order) })}
        disabled={busy}
      />
    </DropMenu>
  );
}
