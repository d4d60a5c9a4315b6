import { HourglassOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format';
import { useNow } from '../../lib/hooks';
import { Button } from '../../lib/ui/Button';
import { useBusy } from '../busy/useBusy';
import { serverNow } from '../../lib/clock';

/** The minutes that are left are counted down so often. ms */
const TICK_MS = 5000;

/** The button of the header; there while orders take as long as usual. */
export function BusyButton() {
  const { t } = useTranslation();
  const { busy, may, ask, dialog } = useBusy();
  if (!may) return null;
  return (
    <>
      {!busy && (
        <Button icon={<HourglassOutlined />} onClick={ask}>
          {t('busy.button')}
        </Button>
      )}
      {dialog}
    </>
  );
}

/** Says by how much orders take longer and until when; changes and ends it. */
export function BusyStrip() {
  const { t } = useTranslation();
  const { time, date, dateTime } = useFormat();
  const { busy, may, saving, ask, end, dialog } = useBusy();
  useNow(TICK_MS);
  if (!busy) return null;
  const now = serverNow();
  const today = date(busy.until) === date(new Date(now).toISOString());
  const left = Math.max(1, Math.ceil((Date.parse(busy.until) - now) / 60_000));
  return (
    <section className="fresh-strip fresh-strip-warning" aria-label={t('busy.title')}>
      <HourglassOutlined aria-hidden />
      <div>
        <span role="status">
          <b>{t('busy.title')}.</b>{' '}
          {t('busy.strip', { minutes: busy.minutes, time: today ? time(busy.until) : dateTime(busy.until) })}
        </span>{' '}
        <span className="num">{t('busy.left', { minutes: left })}</span>
      </div>
      {may && (
        <>
          <Button disabled={saving} onClick={ask}>
            {t('busy.change')}
          </Button>
          <Button loading={saving} onClick={end}>
            {t('busy.end')}
          </Button>
        </>
      )}
      {dialog}
    </section>
  );
}
