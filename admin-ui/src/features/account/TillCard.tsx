import { DesktopOutlined } from '@ant-design/icons';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRestaurant } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { Card } from '../../lib/ui/page';
import { CopyButton } from '../../lib/ui/states';
import { useWork } from '../../lib/ui/work';
import { account } from './api';
import { QrCode } from './QrCode';

/** How long a ticket is valid, counted from its arrival, because the device's clock may be wrong. */
const TICKET_LIFETIME_MS = 60_000;

interface Ticket {
  url: string;
  until: number;
}

/** Seconds that are left of a ticket, counted down. */
function useSecondsLeft(ticket: Ticket | undefined): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    if (!ticket) return;
    setNow(performance.now());
    const timer = setInterval(() => setNow(performance.now()), 500);
    return () => clearInterval(timer);
  }, [ticket]);
  return ticket ? Math.max(0, Math.ceil((ticket.until - now) / 1000)) : 0;
}

/** Signs the person in at the till of another device, by a one-time address. */
export function TillCard() {
  const { t } = useTranslation();
  const restaurant = useRestaurant();
  const [ticket, setTicket] = useState<Ticket>();
  const { busy, work } = useWork();
  const left = useSecondsLeft(ticket);
  const make = () =>
    work(async () => {
      const { url } = await account.tillTicket(restaurant.id);
      setTicket({ url, until: performance.now() + TICKET_LIFETIME_MS });
    });
  return (
    <Card title={t('account.till')}>
      <p className="account-lead">{t('account.till_text', { restaurant: restaurant.name })}</p>
      {ticket && left > 0 && (
        <>
          <QrCode value={ticket.url} label={t('account.till_qr')} />
          <p className="account-secret">
            {t('account.till_address')} <code>{ticket.url}</code>{' '}
            <CopyButton text={ticket.url} label={t('action.copy')} />
          </p>
          <p className="account-soft" role="timer">
            {t('account.till_left', { count: left })}
          </p>
        </>
      )}
      {ticket && left === 0 && (
        <p className="account-lead" role="status">
          {t('account.till_over')}
        </p>
      )}
      <div className="form-buttons">
        <span className="form-buttons-gap" />
        <Button icon={<DesktopOutlined />} loading={busy} onClick={() => void make()}>
          {t(ticket ? 'account.till_again' : 'account.till_open')}
        </Button>
      </div>
    </Card>
  );
}
