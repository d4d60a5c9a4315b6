import { ArrowLeftOutlined, ClockCircleOutlined, EyeInvisibleOutlined } from '@ant-design/icons';
import { App, Switch, Tooltip } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../../lib/access';
import { ApiError } from '../../../lib/http';
import { useNarrow, useNow } from '../../../lib/hooks';
import { useFormat } from '../../../lib/format';
import { usePage } from '../../../lib/navigation';
import type { Key } from '../../../lib/query';
import { Button } from '../../../lib/ui/Button';
import { Chip } from '../../../lib/ui/page';
import { useNotify } from '../../../lib/ui/notify';
import { useColors, useRefreshCatalogue } from './api';
import { useShown } from './shown';
import type { Channel, TimeRange } from './types';
import { CHANNELS } from './types';

/** Switches a row on or off at once; taken back when the service refuses. */
export function ActiveToggle({
  row,
  save,
  locked,
}: {
  row: { name: string; active: boolean };
  save: (active: boolean) => Promise<unknown>;
  locked?: boolean;
}) {
  const { t } = useTranslation();
  const can = useCan();
  const notify = useNotify();
  const refresh = useRefreshCatalogue();
  const shown = useShown();
  const [ahead, setAhead] = useState<boolean>();
  if (!can('catalog_activate') || locked)
    return (
      <Chip tone={row.active ? 'success' : 'neutral'}>
        {t(row.active ? 'state.active' : 'state.inactive')}
      </Chip>
    );
  const change = async (active: boolean) => {
    setAhead(active);
    try {
      await save(active);
      // A row that leaves the list with this click must be easy to bring back.
      if (!(active ? shown.active : shown.inactive))
        notify.undo(
          t(active ? 'catalogue.switched_on' : 'catalogue.switched_off', { name: row.name }),
          async () => {
            await save(!active);
            await refresh();
          },
        );
    } catch (error) {
      notify.problem(error);
    }
    await refresh();
    setAhead(undefined);
  };
  return (
    <label className="target">
      <Switch
        checked={ahead ?? row.active}
        loading={ahead !== undefined}
        aria-label={t('list.active_of', { name: row.name })}
        onChange={(next) => void change(next)}
      />
    </label>
  );
}

/**
 * Confirms with the name, deletes, shows a notice. IN_USE is explained instead of only named. `leave` goes
 * away from a page that shows the row, whose keys `gone` are not read again.
 */
export function useDelete(): (
  row: { name: string },
  call: () => Promise<unknown>,
  words: {
    effect?: string;
    inUse: string;
    leave?: () => void | Promise<void>;
    gone?: readonly Key[];
  },
) => Promise<void> {
  const { t } = useTranslation();
  const notify = useNotify();
  const { modal } = App.useApp();
  const refresh = useRefreshCatalogue();
  return async ({ name }, call, { effect, inUse, leave, gone = [] }) => {
    if (
      !(await notify.confirm({
        title: t('confirm.delete', { name }),
        effect: effect ?? t('confirm.delete_effect'),
        verb: t('action.delete'),
      }))
    )
      return;
    try {
      await call();
    } catch (error) {
      if (error instanceof ApiError && error.code === 'IN_USE')
        modal.warning({ title: t('catalogue.in_use', { name }), content: inUse, okText: t('action.close') });
      else notify.problem(error);
      await refresh();
      return;
    }
    notify.success(t('state.deleted', { name }));
    await leave?.();
    await refresh({ gone });
  };
}

/** A dot in the colour of the till's button; nothing where no row of the list has one. */
export function ColorDot({ row, rows }: { row: Coloured; rows: readonly Coloured[] }) {
  const color = useColors()?.find((c) => c.id === row.pos_color_id);
  if (!rows.some((other) => other.pos_color_id !== null)) return null;
  return <i className="cat-dot" aria-hidden style={color ? { background: color.bg_color } : undefined} />;
}

interface Coloured {
  pos_color_id: string | null;
}

/** On which channels a row cannot be seen; nothing when it can be seen on all. */
export function HiddenChip({ channels }: { channels: readonly Channel[] }) {
  const { t } = useTranslation();
  if (channels.length === 0) return null;
  const text =
    channels.length === CHANNELS.length
      ? t('catalogue.hidden_everywhere')
      : t('catalogue.hidden_on', { channels: channels.map((c) => t(`catalogue.short_${c}`)).join(', ') });
  return (
    <Chip
      tone={channels.length === CHANNELS.length ? 'warning' : 'neutral'}
      icon={<EyeInvisibleOutlined aria-hidden />}
    >
      {text}
    </Chip>
  );
}

interface Timed {
  available_from: string | null;
  available_to: string | null;
  expected_at: string | null;
  time_ranges?: TimeRange[] | null;
}

export const isTimed = (row: Timed): boolean =>
  Boolean(row.available_from || row.available_to || row.expected_at || row.time_ranges?.length);

/** When a row can be had, where it is not always. */
export function TimeChips({ row }: { row: Timed }) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  const now = new Date(useNow(60_000)).toISOString();
  const ranges = row.time_ranges ?? [];
  const chips: [string, 'info' | 'warning' | 'neutral', string][] = [];
  if (row.expected_at && row.expected_at > now)
    chips.push(['expected', 'info', t('catalogue.chip_expected', { at: dateTime(row.expected_at) })]);
  if (row.available_to && row.available_to < now)
    chips.push(['over', 'warning', t('catalogue.chip_over', { at: dateTime(row.available_to) })]);
  else if (row.available_from && row.available_from > now)
    chips.push(['from', 'info', t('catalogue.chip_from', { at: dateTime(row.available_from) })]);
  else if (row.available_to)
    chips.push(['to', 'neutral', t('catalogue.chip_to', { at: dateTime(row.available_to) })]);
  if (ranges.length === 1)
    chips.push([
      'range',
      'neutral',
      t('catalogue.chip_range', {
        day: t(`day.${ranges[0]!.day}`),
        from: ranges[0]!.from,
        till: ranges[0]!.till,
      }),
    ]);
  if (ranges.length > 1)
    chips.push(['ranges', 'neutral', t('catalogue.chip_ranges', { count: ranges.length })]);
  return (
    <>
      {chips.map(([key, tone, text]) => (
        <Chip key={key} tone={tone} icon={<ClockCircleOutlined aria-hidden />}>
          {text}
        </Chip>
      ))}
    </>
  );
}

/** The screen's own title, as the first step of a trail. */
export function PageTitle() {
  const { i18n } = useTranslation();
  const { feature } = usePage();
  return <>{feature?.title[i18n.language === 'en' ? 'en' : 'hu']}</>;
}

/** Goes one level up, beside the places passed through. */
export function Trail({ steps }: { steps: readonly { name: ReactNode; to?: string }[] }) {
  const { t } = useTranslation();
  const back = steps.findLast((step) => step.to);
  return (
    <nav className="trail" aria-label={t('catalogue.trail')}>
      {back?.to && (
        <Tooltip title={t('action.back')}>
          <Link className="trail-back" to={back.to} aria-label={t('action.back')}>
            <ArrowLeftOutlined />
          </Link>
        </Tooltip>
      )}
      <ol>
        {steps.map((step, index) => (
          // eslint-disable-next-line react/no-array-index-key
          <li key={index}>
            {step.to ? <Link to={step.to}>{step.name}</Link> : <span aria-current="page">{step.name}</span>}
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** A card's action that only an icon names. */
export function IconLink({ to, icon, label }: { to: string | undefined; icon: ReactNode; label: string }) {
  if (!to) return <Button type="text" icon={icon} disabled aria-label={label} />;
  return (
    <Tooltip title={label}>
      <Link className="icon-link" to={to} aria-label={label}>
        {icon}
      </Link>
    </Tooltip>
  );
}

/** A secondary button of a page's head: only its icon on phones, where the main one needs the room. */
export function HeadAction({
  icon,
  label,
  to,
  onClick,
}: {
  icon: ReactNode;
  label: string;
  to?: string;
  onClick?: () => void;
}) {
  const narrow = useNarrow();
  if (to !== undefined)
    return (
      <Link className="button-link" to={to} aria-label={narrow ? label : undefined}>
        {icon}
        {!narrow && label}
      </Link>
    );
  return (
    <Button icon={icon} aria-label={narrow ? label : undefined} onClick={onClick}>
      {narrow ? undefined : label}
    </Button>
  );
}
