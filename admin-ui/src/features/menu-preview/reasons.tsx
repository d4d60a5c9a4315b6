import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { MenuPreviewCause, MenuPreviewReason } from '../../generated/model';
import { useFormat } from '../../lib/format';
import { nameIn, useSubjectUrl } from '../categories-and-products/shared/subject';
import { dayTimes } from './ranges';

/** The screen of the setting behind a cause that lies with the restaurant. */
const SETTINGS: Partial<Record<MenuPreviewCause, string>> = {
  temp_no_orders: 'system_settings',
  closed: 'opening_hours',
  no_delivery_now: 'delivery_and_take_away',
  no_pickup_now: 'delivery_and_take_away',
};

/** A reason in one sentence. */
export function useReasonWords(second: boolean): (reason: MenuPreviewReason) => string {
  const { t, i18n } = useTranslation();
  const { dateTime } = useFormat();
  // Within a sentence the names of days are written small in Hungarian.
  const inside = (day: string) => (i18n.language === 'hu' ? day.toLocaleLowerCase('hu') : day);
  return ({ cause, subject, at, time_ranges: ranges, left }) => {
    const name = nameIn(subject, second);
    const time = at ? dateTime(at) : '';
    switch (cause) {
      case 'temp_no_orders':
      case 'closed':
        return t(`menu_preview.cause.${cause}${at ? '_until' : ''}`, { time });
      case 'inactive':
      case 'hidden':
        return t(`menu_preview.cause.${cause}.${subject.kind}`, { name });
      case 'not_published':
      case 'not_yet':
      case 'over':
        return t(`menu_preview.cause.${cause}`, { name, time });
      case 'out_of_hours':
        return t('menu_preview.cause.out_of_hours', {
          name,
          ranges: dayTimes(ranges ?? [])
            .map(({ days, from, till }) =>
              t('menu_preview.range', {
                days: days.map((day) => inside(t(`day.${day}`))).join(', '),
                from,
                till,
              }),
            )
            .join('; '),
        });
      case 'sold_out':
      case 'component_sold_out':
        return t(`menu_preview.cause.${cause}${left ? '_left' : ''}`, { name, count: left ?? 0 });
      default:
        return t(`menu_preview.cause.${cause}`, { name });
    }
  };
}

/** Reasons, each a sentence with a link to what changes it. */
export function Reasons({ reasons, second }: { reasons: readonly MenuPreviewReason[]; second: boolean }) {
  const { t } = useTranslation();
  const words = useReasonWords(second);
  const url = useSubjectUrl();
  if (reasons.length === 0) return null;
  return (
    <ul className="preview-reasons">
      {reasons.map((reason, at) => {
        const to = url(reason.subject, SETTINGS[reason.cause]);
        const text = words(reason);
        return (
          <li key={at}>
            <span>{text}</span>{' '}
            {to && (
              <Link to={to} aria-label={t('menu_preview.change_of', { what: text })}>
                {t('menu_preview.change')}
              </Link>
            )}
          </li>
        );
      })}
    </ul>
  );
}
