import { PrinterOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { DrawerClose, DrawerCloseLine } from '../../generated/model';
import { type PlainColumn, PlainRows } from '../../lib/crud';
import { NONE, useFormat } from '../../lib/format';
import { usePageUrl } from '../../lib/navigation';
import { useRestaurant } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { Card, Facts, PageHeader } from '../../lib/ui/page';
import { QueryFallback } from '../../lib/ui/states';
import { hundredths } from '../order/payments/exact';
import { useClose, useMethodName } from './api';
import { isCash, ownFirst } from './model';
import { Assumed, DifferenceChip, Persons, useMoney } from './parts';
import { useFigures } from './sections';

/** One close. */
export function ClosedPage({ id }: { id: string }) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  const url = usePageUrl();
  const query = useClose(id);
  const close = query.data;
  return (
    <div className="drawer">
      <PageHeader
        title={close ? t('drawer.closed_title', { at: dateTime(close.created_at) }) : t('drawer.one_close')}
        lead={close && (close.courier_name ?? t('drawer.of_restaurant'))}
        actions={
          <>
            <Link
              to={url('drawer', undefined, close?.courier_id ? { courier: close.courier_id } : undefined)}
            >
              <Button tabIndex={-1}>{t('drawer.back')}</Button>
            </Link>
            {close && <PrintButton close={close} />}
          </>
        }
      />
      {close ? (
        <Closed close={close} />
      ) : (
        <Card>
          <QueryFallback query={query} rows={8} />
        </Card>
      )}
    </div>
  );
}

/** The slip's code is loaded with the first one. */
function PrintButton({ close }: { close: DrawerClose }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const restaurant = useRestaurant();
  const notify = useNotify();
  const method = useMethodName();
  const print = () =>
    void import('./print')
      .then(({ printClose }) => printClose({ close, restaurant, language, method, now: new Date() }))
      .catch(notify.problem);
  return (
    <Button type="primary" icon={<PrinterOutlined />} onClick={print}>
      {t('drawer.print')}
    </Button>
  );
}

function useClosedColumns(lines: readonly DrawerCloseLine[]): PlainColumn<DrawerCloseLine>[] {
  const { t } = useTranslation();
  const figures = useFigures(lines);
  const money = useMoney();
  return [
    ...(figures as PlainColumn<DrawerCloseLine>[]),
    {
      key: 'counted',
      title: t('drawer.counted'),
      align: 'right',
      render: (line) => <b className="num">{money(line.counted, line.currency)}</b>,
    },
    {
      key: 'difference',
      title: t('drawer.difference'),
      render: (line) =>
        line.difference == null ? (
          t('drawer.not_counted')
        ) : (
          <DifferenceChip difference={hundredths(line.difference)} currency={line.currency} />
        ),
    },
    {
      key: 'left_over',
      title: t('drawer.left_over'),
      align: 'right',
      render: (line) => (
        <span className="num">{isCash(line) ? money(line.left_over, line.currency) : NONE}</span>
      ),
    },
  ];
}

function Closed({ close }: { close: DrawerClose }) {
  const { t } = useTranslation();
  const { day, currency } = useFormat();
  const { lines, persons, assumed, note } = close;
  const columns = useClosedColumns(lines);
  return (
    <div className="drawer-cards">
      <Card className="drawer-wide">
        <Facts
          rows={[
            [t('drawer.business_day'), day(close.business_day)],
            [t('drawer.by'), close.actor_name],
            [t('drawer.note'), note || NONE],
          ]}
        />
      </Card>
      <Card flush title={t('drawer.closed_lines')} className="list-card drawer-wide">
        {lines.length > 0 ? (
          <PlainRows
            rows={ownFirst(lines, currency)}
            rowKey={(line) => `${line.payment_key} ${line.currency}`}
            columns={columns}
          />
        ) : (
          <p className="drawer-none">{t('drawer.no_lines')}</p>
        )}
      </Card>
      {persons && persons.length > 0 && (
        <Card flush title={t('drawer.persons')} className="list-card drawer-wide">
          <Persons rows={persons} />
        </Card>
      )}
      {assumed && assumed.length > 0 && (
        <Card flush title={t('drawer.assumed')} className="list-card drawer-wide">
          <p className="drawer-lead">{t('drawer.assumed_lead')}</p>
          <Assumed rows={assumed} currency={currency} />
        </Card>
      )}
    </div>
  );
}
