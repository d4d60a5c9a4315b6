import {
  DesktopOutlined,
  IdcardOutlined,
  LogoutOutlined,
  MoonOutlined,
  QuestionCircleOutlined,
  SunOutlined,
  SyncOutlined,
  TabletOutlined,
} from '@ant-design/icons';
import { type ComponentType, useRef, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Me } from '../generated/model';
import { useMe } from '../lib/me';
import { usePageUrl } from '../lib/navigation';
import { prefs, setPrefs } from '../lib/theme/prefs';
import { LanguageSwitch } from './LanguageSwitch';

/**
 * Who is signed in, the look of this device, sign-out. The browser's own popover: closes with Esc and a click
 * outside, gives the focus back, and costs no component library in the first load.
 */
export function UserMenu({
  narrow,
  onShortcuts,
  onSignOut,
}: {
  narrow: boolean;
  onShortcuts: () => void;
  onSignOut: () => void;
}) {
  const { t } = useTranslation();
  const me = useMe();
  const url = usePageUrl();
  const panel = useRef<HTMLDivElement>(null);
  const close = () => panel.current?.hidePopover();
  return (
    <>
      <button
        type="button"
        className="user"
        popoverTarget="user-menu"
        aria-label={t('shell.user_menu', { name: me.name })}
      >
        <span className="avatar" aria-hidden>
          {initialsOf(me)}
        </span>
        {!narrow && <span className="user-name">{me.name}</span>}
      </button>
      <div
        id="user-menu"
        ref={panel}
        popover="auto"
        className="user-panel"
        role="dialog"
        aria-label={t('shell.user_menu', { name: me.name })}
      >
        <div className="who">
          <b>{me.name}</b>
          <span>{me.email}</span>
        </div>
        {narrow && (
          <div className="choice-line">
            <span>{t('shell.language')}</span>
            <LanguageSwitch />
          </div>
        )}
        <Appearance />
        <Link className="user-action" to={url('my_account')} onClick={close}>
          <IdcardOutlined aria-hidden /> {t('shell.my_account')}
        </Link>
        <button
          type="button"
          className="user-action"
          onClick={() => {
            close();
            onShortcuts();
          }}
        >
          <QuestionCircleOutlined aria-hidden /> {t('shell.shortcuts')}
        </button>
        <button type="button" className="user-action" onClick={onSignOut}>
          <LogoutOutlined aria-hidden /> {t('session.sign_out')}
        </button>
      </div>
    </>
  );
}

const initialsOf = (me: Me): string =>
  [me.last_name, me.first_name]
    .filter(Boolean)
    .map((name) => name![0])
    .join('') ||
  me.name[0] ||
  '?';

/** Theme and density of this device. */
function Appearance() {
  const { t } = useTranslation();
  const { theme, density } = useSyncExternalStore(prefs.subscribe, prefs.get);
  return (
    <>
      <Choice
        label={t('look.theme')}
        name="theme"
        value={theme}
        options={[
          ['system', SyncOutlined],
          ['light', SunOutlined],
          ['dark', MoonOutlined],
        ]}
        onChange={(value) => setPrefs({ theme: value })}
      />
      <Choice
        label={t('look.density')}
        name="density"
        value={density}
        options={[
          ['system', SyncOutlined],
          ['desk', DesktopOutlined],
          ['touch', TabletOutlined],
        ]}
        onChange={(value) => setPrefs({ density: value })}
      />
    </>
  );
}

function Choice<V extends string>({
  label,
  name,
  value,
  options,
  onChange,
}: {
  label: string;
  name: string;
  value: V;
  options: readonly (readonly [V, ComponentType])[];
  onChange: (value: V) => void;
}) {
  const { t } = useTranslation();
  return (
    <fieldset className="choice-line">
      <legend>{label}</legend>
      <div className="segments">
        {options.map(([option, Icon]) => (
          <label key={option}>
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={value === option}
              onChange={() => onChange(option)}
            />
            <span>
              <Icon /> {t(`look.${name}_${option}`)}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
