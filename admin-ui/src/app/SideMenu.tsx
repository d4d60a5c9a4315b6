import { DownOutlined } from '@ant-design/icons';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import { type Group, GROUPS, type RegisteredFeature } from '../lib/features';
import type { Language } from '../lib/format';
import { useMenu } from '../lib/menu';
import { usePage, usePageUrl } from '../lib/navigation';
import { useWaitingCount } from '../lib/waitingOrders';
import { useRestaurantIfAny } from '../lib/target';
import { Logo } from './Logo';

const KEY = 'pult.menu.closed';
const readClosed = (): Group[] => {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]') as Group[];
  } catch {
    return [];
  }
};

/** Screens by group, only those the person may open. A group with one screen is a single link. */
export function SideMenu({ rail, hidden, onClose }: { rail: boolean; hidden: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const all = useMenu();
  const { feature: current } = usePage();
  const inside = useRestaurantIfAny() !== undefined;
  const [closed, setClosed] = useState(readClosed);
  const first = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!hidden && !rail && matchMedia('(max-width: 767.98px)').matches)
      first.current?.querySelector('a')?.focus();
  }, [hidden, rail]);
  const toggle = (group: Group) => {
    const next = closed.includes(group) ? closed.filter((g) => g !== group) : [...closed, group];
    setClosed(next);
    localStorage.setItem(KEY, JSON.stringify(next));
  };
  // Outside every restaurant there is one group.
  const groupOf = (f: RegisteredFeature) => (inside ? f.group : 'platform');
  const groups = GROUPS.map((group) => ({
    group,
    screens: all.filter((f) => groupOf(f) === group).toSorted((a, b) => (inside ? 0 : a.order - b.order)),
  })).filter((g) => g.screens.length > 0);
  // The open screen's entry may stand below the window's end; entries come when one knows what is switched
  // on. Only the menu moves, never the page behind it.
  const count = groups.reduce((sum, { screens }) => sum + screens.length, 0);
  useEffect(() => {
    const side = first.current;
    const entry = side?.querySelector('.side-current')?.getBoundingClientRect();
    if (!side || !entry) return;
    const { top, bottom, height } = side.getBoundingClientRect();
    if (entry.top < top || entry.bottom > bottom) side.scrollTop += entry.top - top - height / 2;
  }, [current?.key, count, rail]);
  const isCurrent = (f: RegisteredFeature) => current?.key === f.key || current?.parent === f.key;

  return (
    <aside className="side" data-rail={rail} inert={hidden} ref={first}>
      <div className="side-brand">
        <Logo />
        {!rail && <span>Pult</span>}
      </div>
      <nav aria-label={t('shell.menu')}>
        {groups.map(({ group, screens }) => {
          if (rail || screens.length === 1)
            return (
              <div className="side-group" key={group}>
                {screens.map((f) => (
                  <Item key={f.key} feature={f} rail={rail} current={isCurrent(f)} onClick={onClose} />
                ))}
              </div>
            );
          const open = !closed.includes(group) || screens.some(isCurrent);
          return (
            <div className="side-group" key={group}>
              <button
                type="button"
                className="side-heading"
                aria-expanded={open}
                onClick={() => toggle(group)}
              >
                {t(`menu.${group}`)}
                <DownOutlined aria-hidden className="side-caret" />
              </button>
              {open &&
                screens.map((f) => (
                  <Item key={f.key} feature={f} rail={rail} current={isCurrent(f)} onClick={onClose} />
                ))}
            </div>
          );
        })}
      </nav>
    </aside>
  );
}

function Item({
  feature,
  rail,
  current,
  onClick,
}: {
  feature: RegisteredFeature;
  rail: boolean;
  current: boolean;
  onClick: () => void;
}) {
  const { i18n } = useTranslation();
  const url = usePageUrl();
  const count = useWaitingCount();
  const Icon = feature.icon;
  const title = feature.title[i18n.language as Language];
  const badge = feature.key === 'fresh_orders' && Boolean(count);
  return (
    <NavLink
      to={url(feature.key)}
      className={`side-item ${current ? 'side-current' : ''}`}
      title={rail ? title : undefined}
      onClick={onClick}
      onMouseEnter={() => void feature.load().catch(() => undefined)}
    >
      <Icon aria-hidden className="side-icon" />
      <span className={rail ? 'sr-only' : 'side-text'}>{title}</span>
      {badge && <span className="count">{count! > 99 ? '99+' : count}</span>}
    </NavLink>
  );
}
