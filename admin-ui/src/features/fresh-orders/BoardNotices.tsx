import { ArrowUpOutlined, MutedOutlined, SoundOutlined, WarningOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { Button } from '../../lib/ui/Button';
import { bell } from './alarm/bell';
import { useBellState } from './alarm/useBell';

/** Lets the browser play sound, then rings once. */
export const tryBell = (volume: number) => void bell.unlock().then((ready) => ready && bell.ring(volume));

/** The quick switch beside the settings. Its text is the state, so it is not pressed besides. */
export function SoundSwitch({ on, onChange }: { on: boolean; onChange: (on: boolean) => void }) {
  const { t } = useTranslation();
  return (
    <Button
      className="fresh-sound"
      icon={on ? <SoundOutlined /> : <MutedOutlined />}
      onClick={() => onChange(!on)}
    >
      {on ? t('fresh.sound_on') : t('fresh.sound_off')}
    </Button>
  );
}

/** Until somebody has touched the page, most browsers keep it silent. */
export function SoundStrip({
  wanted,
  onOff,
  volume,
}: {
  wanted: boolean;
  onOff: () => void;
  volume: number;
}) {
  const { t } = useTranslation();
  const state = useBellState();
  if (!wanted || state !== 'blocked') return null;
  return (
    <div className="fresh-strip fresh-strip-warning" role="status">
      <MutedOutlined aria-hidden />
      <div>{t('fresh.blocked')}</div>
      <Button type="primary" icon={<SoundOutlined />} onClick={() => tryBell(volume)}>
        {t('fresh.turn_on')}
      </Button>
      <Button type="text" onClick={onOff}>
        {t('fresh.stay_silent')}
      </Button>
    </div>
  );
}

/** The last reading failed: what is shown may be old. */
export function StaleStrip({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="fresh-strip fresh-strip-warning" role="status">
      <WarningOutlined aria-hidden />
      <div>{t('fresh.stale')}</div>
      <Button onClick={onRetry}>{t('action.retry')}</Button>
    </div>
  );
}

/** New orders that wait so that nothing moves under the user's hands. */
export function NewOrdersBar({ count, onLoad }: { count: number; onLoad: () => void }) {
  const { t } = useTranslation();
  if (count === 0) return null;
  return (
    <div className="fresh-new">
      <Button type="primary" shape="round" icon={<ArrowUpOutlined />} onClick={onLoad}>
        {count === 1 ? t('fresh.load_one') : t('fresh.load_many', { number: count })}
      </Button>
    </div>
  );
}
