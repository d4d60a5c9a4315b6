import { SoundOutlined } from '@ant-design/icons';
import { Switch } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format';
import { Button } from '../../lib/ui/Button';
import { tryBell } from './BoardNotices';
import type { OrderSettings } from './settings';
import { SideDrawer } from '../../lib/ui/SideDrawer';

const KEYS = [
  ['← ↑ ↓ →', 'fresh.key_move'],
  ['Enter', 'fresh.key_open'],
  ['A', 'fresh.key_accept'],
  ['1 – 5', 'fresh.key_minutes'],
  ['R', 'fresh.key_refuse'],
  ['M', 'fresh.key_change'],
  ['P', 'fresh.key_print'],
] as const;

interface Props {
  settings: OrderSettings;
  change: (part: Partial<OrderSettings>) => void;
  onClose: () => void;
}

/** How this person is notified of orders on this device. */
export function SettingsDrawer({ settings, change, onClose }: Props) {
  const { t } = useTranslation();
  const { percent } = useFormat();
  const id = useId();
  const volume = Math.round(settings.volume * 100);
  return (
    <SideDrawer onClose={onClose} width={420} title={t('fresh.settings')}>
      <p className="fresh-settings-lead">{t('fresh.settings_lead')}</p>
      <Line
        label={t('fresh.sound')}
        help={t('fresh.sound_help')}
        on={settings.sound}
        onChange={(sound) => change({ sound })}
      />
      <div className="fresh-volume" data-off={!settings.sound}>
        <label htmlFor={`${id}-volume`}>{t('fresh.volume')}</label>
        <input
          id={`${id}-volume`}
          type="range"
          min={5}
          max={100}
          step={5}
          value={volume}
          disabled={!settings.sound}
          aria-valuetext={percent(volume)}
          onChange={(event) => change({ volume: Number(event.target.value) / 100 })}
        />
        <span className="num">{percent(volume)}</span>
        <Button icon={<SoundOutlined />} onClick={() => tryBell(settings.volume)}>
          {t('fresh.test_sound')}
        </Button>
      </div>
      <Line
        label={t('fresh.popup')}
        help={t('fresh.popup_help')}
        on={settings.popup}
        onChange={(popup) => change({ popup })}
      />
      <Line
        label={t('fresh.counter')}
        help={t('fresh.counter_help')}
        on={settings.counter}
        onChange={(counter) => change({ counter })}
      />
      <Line
        label={t('fresh.keys')}
        help={t('fresh.keys_help')}
        on={settings.keys}
        onChange={(keys) => change({ keys })}
      />
      <dl className="fresh-keys" data-letters={settings.keys}>
        {KEYS.map(([key, text]) => (
          <div key={key} data-letter={key.length < 6 && key !== 'Enter'}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{t(text)}</dd>
          </div>
        ))}
      </dl>
    </SideDrawer>
  );
}

function Line({
  label,
  help,
  on,
  onChange,
}: {
  label: string;
  help: string;
  on: boolean;
  onChange: (on: boolean) => void;
}) {
  const id = useId();
  return (
    <label className="fresh-setting" htmlFor={id}>
      <span>
        <b id={`${id}-label`}>{label}</b>
        <span id={`${id}-help`} className="fresh-setting-help">
          {help}
        </span>
      </span>
      <Switch
        id={id}
        checked={on}
        onChange={onChange}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-help`}
      />
    </label>
  );
}
