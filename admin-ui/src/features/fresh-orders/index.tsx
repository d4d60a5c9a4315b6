import { ControlOutlined } from '@ant-design/icons';
import { Tooltip } from 'antd';
import { Suspense, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../lib/access';
import { loadFeatureTexts } from '../../lib/i18n';
import { useNow, useStanding } from '../../lib/hooks';
import { useRestaurant } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { PageHeader } from '../../lib/ui/page';
import { serverNow } from '../../lib/clock';
import { ArchiveDialog } from '../order/ArchiveDialog';
import { loadChangeDrawer } from '../order/change/load';
import { isUnaccepted, type OrderRow, shownAt } from '../order/model';
import { dueTone, waitingTone } from '../order/times';
import { useBell } from './alarm/useBell';
import { useWakeLock } from './alarm/useWakeLock';
import { AcceptTimes } from './AcceptTimes';
import { NewOrdersBar, SoundStrip, SoundSwitch, StaleStrip } from './BoardNotices';
import { BusyButton, BusyStrip } from './Busy';
import { Card } from './Card';
import { filters, NO_FILTER, passes } from './filter';
import { LaterOrders } from './LaterOrders';
import { OpenMoney } from './OpenMoney';
import { OrderLists } from './OrderLists';
import { ReadyOrders } from './ReadyOrders';
import { SettingsDrawer } from './SettingsDrawer';
import { SosBanner, SosButton } from './SosClose';
import { type OrderSettings, useOrderSettings } from './settings';
import { useBoard } from './useBoard';
import { useFilter } from './useFilter';
import { later } from '../../lib/later';
import './fresh.css';

// Only who sets the restaurant up loads it, after the orders, and nobody once all is there.
const GettingStarted = later(
  async () =>
    (await Promise.all([import('../getting-started/Reminder'), loadFeatureTexts('getting-started')]))[0],
  'quiet',
);

// After the orders, which are seen first.
const FilterBar = later(() => import('./FilterBar'), 'quiet');
const ChangeDrawer = later(loadChangeDrawer);

const TICK_MS = 5000;

/** Fresh orders: who waits, who is accepted, live. */
export default function FreshOrders() {
  const restaurant = useRestaurant();
  const can = useCan();
  const [settings, change] = useOrderSettings();
  const standing = useStanding();
  useNow(TICK_MS);
  const now = serverNow();
  useWakeLock();
  const [filter, changeFilter] = useFilter();
  const matches = useCallback((order: OrderRow) => passes(order, filter), [filter]);
  const board = useBoard(settings.keys, matches);
  const { orders, shown, actions } = board;
  const reload = () => void orders.reload();
  useBell({
    waiting: orders.waiting,
    on: settings.sound,
    volume: settings.volume,
    restaurant: restaurant.id,
  });

  const card = (order: OrderRow) => (
    <Card
      key={order.id}
      order={order}
      tone={isUnaccepted(order) ? waitingTone(shownAt(order), now) : dueTone(order.expected_at, now)}
      busy={actions.busy(order.id)}
      fresh={board.justCame.has(order.id)}
      counterFirst={settings.counter}
      {...board.rights(order)}
      {...board.handlers}
    />
  );

  return (
    <div className="fresh">
      <Header settings={settings} change={change} />
      {standing && can('restaurant_general') && (
        <Suspense>
          <GettingStarted />
        </Suspense>
      )}
      <SosBanner />
      <BusyStrip />
      <SoundStrip wanted={settings.sound} onOff={() => change({ sound: false })} volume={settings.volume} />
      {orders.failed && !orders.loading && orders.loaded > 0 && <StaleStrip onRetry={reload} />}
      <OpenMoney />
      <NewOrdersBar count={orders.heldCount} onLoad={board.showNew} />
      <div className="sr-only" role="status" aria-live="polite">
        {board.spoken}
      </div>
      {(!orders.empty || filters(filter)) && !orders.loading && (
        <div className="fresh-filter-place">
          {standing && (
            <FilterBar
              filter={filter}
              change={changeFilter}
              shown={shown.unaccepted.length + shown.accepted.length}
              all={orders.unaccepted.length + orders.accepted.length}
              hiddenWaiting={orders.unaccepted.length - shown.unaccepted.length}
              more={orders.progress.succeeded.more || orders.progress.processed.more}
            />
          )}
        </div>
      )}
      <OrderLists
        orders={{ ...orders, ...shown }}
        onClearFilter={filters(filter) ? () => changeFilter(NO_FILTER) : undefined}
        boardRef={board.boardRef}
        onKeyDown={board.onKeyDown}
        card={card}
        volume={settings.volume}
      />
      <LaterOrders />
      <ReadyOrders orders={board.ready.filter(matches)} busy={actions.busy} onRecall={board.recall} />
      <Dialogs board={board} />
    </div>
  );
}

/** What is asked about one order of the board. */
function Dialogs({ board }: { board: ReturnType<typeof useBoard> }) {
  const { actions, archiving, changing } = board;
  return (
    <>
      {changing && (
        <Suspense>
          <ChangeDrawer order={changing} onChanged={board.reload} onClose={board.closeChanging} />
        </Suspense>
      )}
      {archiving && <ArchiveDialog order={archiving} actions={actions} onClose={board.closeArchiving} />}
    </>
  );
}

function Header({
  settings,
  change,
}: {
  settings: OrderSettings;
  change: (part: Partial<OrderSettings>) => void;
}) {
  const { t } = useTranslation();
  const [showSettings, setShowSettings] = useState(false);
  return (
    <>
      <PageHeader
        actions={
          <>
            <SoundSwitch on={settings.sound} onChange={(sound) => change({ sound })} />
            <Tooltip title={t('fresh.settings')}>
              <Button
                icon={<ControlOutlined />}
                aria-label={t('fresh.settings')}
                onClick={() => setShowSettings(true)}
              />
            </Tooltip>
            <BusyButton />
            <SosButton />
          </>
        }
      />
      <AcceptTimes />
      {showSettings && (
        <SettingsDrawer settings={settings} change={change} onClose={() => setShowSettings(false)} />
      )}
    </>
  );
}
