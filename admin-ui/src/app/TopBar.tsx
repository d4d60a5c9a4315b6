import {
  BellOutlined, CheckOutlined, DesktopOutlined, LogoutOutlined, MenuOutlined, MoonOutlined, QuestionCircleOutlined, SearchOutlined, SunOutlined, TabletOutlined,
} from '@ant-design/icons';
import { Button, Dropdown, type MenuProps, Tooltip } from 'antd';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { useCan } from '../lib/access';
import { featureByKey } from '../lib/features';
import type { Language } from '../lib/format';
import { useFormat } from '../lib/format';
import { useNarrow } from '../lib/hooks';
import { useLiveStatus } from '../lib/live';
import { usePageUrl } from '../lib/navigation';
import { newOrders, useNewOrderCount } from '../lib/newOrders';
import { useMe } from '../lib/session';
import { look, prefs, setPrefs } from '../lib/theme/prefs';
import { RestaurantSelector } from './RestaurantSelector';
import { switchLanguage } from './start';

interface Props {
  onMenu: () => void;
  onGoTo: () => void;
  onShortcuts: () => void;
  onSignOut: () => void;
}

export function TopBar({ onMenu, onGoTo, onShortcuts, onSignOut }: Props) {
  const { t } = useTranslation();
  const narrow = useNarrow();
  return (
    <header className="bar">
      <Button type="text" className="bar-icon" icon={<MenuOutlined />} aria-label={t('shell.toggle_menu')} aria-keyshortcuts="Control+B" onClick={onMenu} />
      <RestaurantSelector />
      <span className="bar-gap" />
      {!narrow && (
        <button type="button" className="bar-search" onClick={onGoTo} aria-keyshortcuts="Control+K">
          <SearchOutlined aria-hidden /> <span>{t('shell.go_to')}</span> <kbd>Ctrl K</kbd>
        </button>
      )}
      {narrow && <Button type="text" className="bar-icon" icon={<SearchOutlined />} aria-label={t('shell.go_to')} onClick={onGoTo} />}
      <LiveDot />
      <OrderCount />
      <HelpLink />
      {!narrow && <LanguageSwitch />}
      <UserMenu narrow={narrow} onShortcuts={onShortcuts} onSignOut={onSignOut} />
    </header>
  );
}

/** New orders since the fresh orders were last looked at; a click goes there and clears the count. */
function OrderCount() {
  const { t } = useTranslation();
  const can = useCan();
  const count = useNewOrderCount();
  const url = usePageUrl();
  const feature = featureByKey('fresh_orders');
  if (!feature || !can(...feature.permission)) return null;
  const label = count > 0 ? t('shell.new_orders', { count }) : t('shell.no_new_orders');
  return (
    <Tooltip title={label}>
      <Link className="bar-bell" to={url('fresh_orders')} aria-label={label} onClick={() => newOrders.clear()}>
        <BellOutlined aria-hidden />
        {count > 0 && <span className="count" aria-hidden>{count > 99 ? '99+' : count}</span>}
      </Link>
    </Tooltip>
  );
}

function HelpLink() {
  const { t } = useTranslation();
  const url = usePageUrl();
  if (!featureByKey('knowledge_repository')) return null;
  return (
    <Tooltip title={t('shell.help')}>
      <Link className="bar-bell" to={url('knowledge_repository')} aria-label={t('shell.help')}><QuestionCircleOutlined aria-hidden /></Link>
    </Tooltip>
  );
}

/** Live, reconnecting, or offline since. */
function LiveDot() {
  const { t } = useTranslation();
  const { zone } = useFormat();
  const status = useLiveStatus();
  const since = 'since' in status ? new Intl.DateTimeFormat('hu', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(status.since) : '';
  const label = t(`live.${status.state}`, { since });
  return (
    <Tooltip title={label}>
      <span className="live" data-state={status.state} role="status" tabIndex={0} aria-label={label}>
        <i aria-hidden />
        <span className="live-text">{t(`live.short_${status.state}`)}</span>
      </span>
    </Tooltip>
  );
}

function LanguageSwitch() {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const choose = (language: Language) => void switchLanguage(language, (path) => void navigate(path, { replace: true }));
  return (
    <div className="langs" role="group" aria-label={t('shell.language')}>
      {(['hu', 'en'] as const).map((code) => (
        <button key={code} type="button" lang={code} aria-label={code === 'hu' ? 'Magyar' : 'English'} aria-pressed={i18n.language === code} onClick={() => choose(code)}>{code.toUpperCase()}</button>
      ))}
    </div>
  );
}

function UserMenu({ narrow, onShortcuts, onSignOut }: { narrow: boolean; onShortcuts: () => void; onSignOut: () => void }) {
  const { t, i18n } = useTranslation();
  const me = useMe();
  const navigate = useNavigate();
  const { theme, density } = useSyncExternalStore(look.subscribe, look.get);
  const chosen = useSyncExternalStore(prefs.subscribe, prefs.get);
  const initials = [me.last_name, me.first_name].filter(Boolean).map((n) => n![0]).join('') || me.name[0] || '?';
  const mark = (on: boolean) => (on ? <CheckOutlined /> : <span className="no-icon" />);
  const items: MenuProps['items'] = [
    { key: 'who', type: 'group', label: <div className="who"><b>{me.name}</b><span>{me.email}</span></div> },
    { type: 'divider' },
    ...(narrow ? [{ key: 'language', label: i18n.language === 'hu' ? 'English' : 'Magyar', icon: <span className="no-icon" /> }] : []),
    {
      key: 'theme', label: t('look.theme'), icon: theme === 'dark' ? <MoonOutlined /> : <SunOutlined />,
      children: (['system', 'light', 'dark'] as const).map((value) => ({ key: `theme-${value}`, label: t(`look.theme_${value}`), icon: mark(chosen.theme === value) })),
    },
    {
      key: 'density', label: t('look.density'), icon: density === 'touch' ? <TabletOutlined /> : <DesktopOutlined />,
      children: (['system', 'desk', 'touch'] as const).map((value) => ({ key: `density-${value}`, label: t(`look.density_${value}`), icon: mark(chosen.density === value) })),
    },
    { key: 'shortcuts', label: t('shell.shortcuts'), icon: <QuestionCircleOutlined /> },
    { type: 'divider' },
    { key: 'out', label: t('session.sign_out'), icon: <LogoutOutlined /> },
  ];
  const onClick: MenuProps['onClick'] = ({ key }) => {
    const [what, value] = key.split('-');
    if (what === 'theme') setPrefs({ theme: value as 'light' });
    if (what === 'density') setPrefs({ density: value as 'desk' });
    if (key === 'shortcuts') onShortcuts();
    if (key === 'language') void switchLanguage(i18n.language === 'hu' ? 'en' : 'hu', (path) => void navigate(path, { replace: true }));
    if (key === 'out') onSignOut();
  };
  return (
    <Dropdown menu={{ items, onClick }} trigger={['click']} placement="bottomRight">
      <button type="button" className="user" aria-label={t('shell.user_menu', { name: me.name })}>
        <span className="avatar" aria-hidden>{initials}</span>
        {!narrow && <span className="user-name">{me.name}</span>}
      </button>
    </Dropdown>
  );
}
