import { BellOutlined, MenuOutlined, QuestionCircleOutlined, SearchOutlined } from '@ant-design/icons';
import { Tooltip } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../lib/access';
import { featureByKey } from '../lib/features';
import { type Language, useFormat } from '../lib/format';
import { useNarrow } from '../lib/hooks';
import { useLiveStatus } from '../lib/live';
import { usePageUrl } from '../lib/navigation';
import { useMe } from '../lib/me';
import { useRestaurant, useRestaurantIfAny } from '../lib/target';
import { Button } from '../lib/ui/Button';
import { Chip } from '../lib/ui/page';
import { loadFeatureTexts } from '../lib/i18n';
import { later } from '../lib/later';
import { useWaitingCount } from '../lib/waitingOrders';
import { RestaurantSelector } from './RestaurantSelector';
import { LanguageSwitch } from './LanguageSwitch';
import { UserMenu } from './UserMenu';

const Tray = later(
  async () => (await Promise.all([import('../features/long-work/Tray'), loadFeatureTexts('long-work')]))[0],
  'quiet',
);

interface Props {
  /** The page stands: what it does not need at once may come. */
  standing: boolean;
  onMenu: () => void;
  onGoTo: () => void;
  onShortcuts: () => void;
  onSignOut: () => void;
}

export function TopBar({ standing, onMenu, onGoTo, onShortcuts, onSignOut }: Props) {
  const { t } = useTranslation();
  const narrow = useNarrow();
  const inside = useRestaurantIfAny() !== undefined;
  return (
    <header className="bar">
      <Button
        type="text"
        className="bar-icon"
        icon={<MenuOutlined />}
        aria-label={t('shell.toggle_menu')}
        aria-keyshortcuts="Control+B"
        onClick={onMenu}
      />
      <RestaurantSelector />
      {!narrow && inside && <PartnerMode />}
      <span className="bar-gap" />
      {/* Beside the gap, so that nothing moves when it comes. */}
      {inside && standing && <Tray />}
      {!narrow && (
        <button
          type="button"
          className="bar-search"
          aria-label={t('shell.go_to')}
          onClick={onGoTo}
          aria-keyshortcuts="Control+K"
        >
          <SearchOutlined aria-hidden /> <span className="bar-search-text">{t('shell.go_to')}</span>{' '}
          <kbd>Ctrl K</kbd>
        </button>
      )}
      {narrow && (
        <Button
          type="text"
          className="bar-icon"
          icon={<SearchOutlined />}
          aria-label={t('shell.go_to')}
          onClick={onGoTo}
        />
      )}
      {inside && <LiveDot />}
      {inside && <OrderCount />}
      {/* On a phone its room is the restaurant's; the menu leads there too. */}
      {inside && !narrow && <HelpLink />}
      {!narrow && <LanguageSwitch />}
      <UserMenu narrow={narrow} onShortcuts={onShortcuts} onSignOut={onSignOut} />
    </header>
  );
}

/** Demo and sandbox partners are marked beside the restaurant. */
function PartnerMode() {
  const { t } = useTranslation();
  const me = useMe();
  const restaurant = useRestaurant();
  const mode =
    me.targets.find((target) => target.partner_id === restaurant.partner_id)?.partner_mode ?? 'live';
  if (mode === 'live') return null;
  return (
    <Tooltip title={t(`shell.mode_${mode}_text`)}>
      <span>
        <Chip tone="violet">{t(`shell.mode_${mode}`)}</Chip>
      </span>
    </Tooltip>
  );
}

/** Waiting orders; a click opens them. Without the right to read orders there is no bell. */
function OrderCount() {
  const { t, i18n } = useTranslation();
  const can = useCan();
  const count = useWaitingCount();
  const url = usePageUrl();
  const feature = featureByKey('fresh_orders');
  if (!feature || !can(...feature.permission)) return null;
  const label = count
    ? t('shell.waiting_orders', { count })
    : count === 0
      ? t('shell.no_waiting_orders')
      : feature.title[i18n.language as Language];
  return (
    <Tooltip title={label}>
      <Link className="bar-bell" to={url('fresh_orders')} aria-label={label}>
        <BellOutlined aria-hidden />
        {Boolean(count) && (
          <span className="count" aria-hidden>
            {count! > 99 ? '99+' : count}
          </span>
        )}
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
      <Link className="bar-bell" to={url('knowledge_repository')} aria-label={t('shell.help')}>
        <QuestionCircleOutlined aria-hidden />
      </Link>
    </Tooltip>
  );
}

/** Live, reconnecting, or offline since. */
function LiveDot() {
  const { t } = useTranslation();
  const { time } = useFormat();
  const status = useLiveStatus();
  const since = 'since' in status ? time(new Date(status.since)) : '';
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
