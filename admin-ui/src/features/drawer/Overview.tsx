import { LockOutlined, MinusOutlined, PlusOutlined, SwapOutlined } from '@ant-design/icons';
import { Select } from 'antd';
import { Suspense, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import type { Drawer, MovementKind } from '../../generated/model';
import { useFormat } from '../../lib/format';
import { later } from '../../lib/later';
import { usePageUrl } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { Card, PageHeader } from '../../lib/ui/page';
import { ProblemAlert, QueryFallback } from '../../lib/ui/states';
import { useCouriers, useDrawer } from './api';
import { Closes } from './Closes';
import { Assumed, Persons } from './parts';
import { Couriers, Lines, Movements, Unpaid } from './sections';
import { WaitingMoney } from './WaitingMoney';

const MoveDialog = later(() => import('./MoveDialog'));

/** What is being moved: the kind, and who hands it in. */
interface Moving {
  kind: MovementKind;
  courier?: string;
}

/** So long an Enter that was meant for the dialog opens none again. */
const AGAIN_MS = 500;

/** A drawer since its last close. */
export function Overview({ courier }: { courier: string | undefined }) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  const home = useDrawer(undefined);
  const { query, reload } = useDrawer(courier);
  const drawer = query.data;
  const couriers = useCouriers(home.query.data);
  const [moving, setMoving] = useState<Moving>();
  const closed = useRef(-AGAIN_MS);
  const move = (next: Moving) => {
    if (performance.now() - closed.current > AGAIN_MS) setMoving(next);
  };
  const lead = drawer
    ? drawer.since
      ? t('drawer.since', { at: dateTime(drawer.since) })
      : t('drawer.never_closed')
    : undefined;
  return (
    <div className="drawer">
      <PageHeader
        lead={lead}
        actions={
          drawer && (
            <Actions
              drawer={drawer}
              couriers={couriers}
              onMove={(kind) => move({ kind, ...(courier ? { courier } : {}) })}
            />
          )
        }
      />
      <Whose courier={courier} couriers={couriers} />
      {drawer && query.isError && (
        <ProblemAlert
          error={query.error}
          action={<Button onClick={() => void reload()}>{t('action.retry')}</Button>}
        />
      )}
      {drawer ? (
        <Sections
          drawer={drawer}
          couriers={couriers}
          onHandIn={(from) => move({ kind: 'hand_in', courier: from })}
        />
      ) : (
        <Card>
          <QueryFallback query={query} rows={8} />
        </Card>
      )}
      {moving && drawer && (
        <Suspense>
          <MoveDialog
            kind={moving.kind}
            drawer={drawer}
            couriers={couriers}
            holders={home.query.data?.couriers ?? []}
            from={moving.courier}
            onClose={() => {
              closed.current = performance.now();
              setMoving(undefined);
            }}
          />
        </Suspense>
      )}
    </div>
  );
}

interface Named {
  id: string;
  name: string;
}

/** The restaurant's drawer, or whose. */
function Whose({ courier, couriers }: { courier: string | undefined; couriers: readonly Named[] }) {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  if (couriers.length === 0 && !courier) return null;
  const known = !courier || couriers.some(({ id }) => id === courier);
  const choose = (id: string) => {
    const next = new URLSearchParams(params);
    if (id) next.set('courier', id);
    else next.delete('courier');
    setParams(next);
  };
  return (
    <div className="drawer-whose">
      <label htmlFor="drawer-whose">{t('drawer.whose')}</label>
      <Select
        id="drawer-whose"
        value={courier ?? ''}
        onChange={choose}
        popupMatchSelectWidth={false}
        options={[
          { value: '', label: t('drawer.of_restaurant') },
          ...couriers.map(({ id, name }) => ({ value: id, label: name })),
          ...(known ? [] : [{ value: courier, label: t('drawer.of_courier') }]),
        ]}
      />
    </div>
  );
}

function Actions({
  drawer,
  couriers,
  onMove,
}: {
  drawer: Drawer;
  couriers: readonly Named[];
  onMove: (kind: MovementKind) => void;
}) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const courier = drawer.courier_id;
  return (
    <>
      <Button icon={<PlusOutlined />} onClick={() => onMove('in')}>
        {t('drawer.move_in')}
      </Button>
      <Button icon={<MinusOutlined />} onClick={() => onMove('out')}>
        {t('drawer.move_out')}
      </Button>
      {couriers.length > 0 && (
        <Button icon={<SwapOutlined />} onClick={() => onMove('hand_in')}>
          {t('drawer.hand_in')}
        </Button>
      )}
      <Link to={url('drawer', 'new', courier ? { courier } : undefined)}>
        <Button type="primary" icon={<LockOutlined />} tabIndex={-1}>
          {t('drawer.close')}
        </Button>
      </Link>
    </>
  );
}

interface SectionsProps {
  drawer: Drawer;
  couriers: readonly Named[];
  onHandIn: (courier: string) => void;
}

function Sections({ drawer, couriers, onHandIn }: SectionsProps) {
  const { t } = useTranslation();
  const { unpaid, assumed, persons, movements, currency } = drawer;
  const courier = drawer.courier_id ?? undefined;
  return (
    <div className="drawer-cards">
      {!courier && <WaitingMoney drawer={drawer} />}
      <Card flush title={t('drawer.lines')} className="list-card drawer-wide">
        <Lines drawer={drawer} />
      </Card>
      {unpaid.length > 0 && (
        <Card flush title={t('drawer.unpaid')} className="list-card drawer-wide">
          <p className="drawer-lead">{t('drawer.unpaid_lead')}</p>
          <Unpaid drawer={drawer} couriers={couriers} />
        </Card>
      )}
      {assumed.length > 0 && (
        <Card flush title={t('drawer.assumed')} className="list-card drawer-wide">
          <p className="drawer-lead">{t('drawer.assumed_lead')}</p>
          <Assumed rows={assumed} currency={currency} />
        </Card>
      )}
      <div className="drawer-column">
        {persons.length > 0 && (
          <Card flush title={t('drawer.persons')} className="list-card">
            <Persons rows={persons} />
          </Card>
        )}
      </div>
      <div className="drawer-column">
        {!courier && drawer.couriers.length > 0 && (
          <Card flush title={t('drawer.couriers')} className="list-card">
            <Couriers rows={drawer.couriers} onHandIn={onHandIn} />
          </Card>
        )}
        {movements.length > 0 && (
          <Card flush title={t('drawer.movements')} className="list-card">
            <Movements rows={movements} couriers={couriers} ofCourier={courier !== undefined} />
          </Card>
        )}
      </div>
      <Card flush title={t('drawer.closes')} className="list-card drawer-wide">
        <Closes courier={courier} />
      </Card>
    </div>
  );
}
