import { WarningOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format';
import type { Book } from './menu';
import type { Reason } from './reasons';

/** What a detail of a reason is shown as; `coupon` is the code that was named. */
function useWords(book: Book, coupon: string) {
  const { t } = useTranslation();
  const { dateTime, money } = useFormat();
  const groups = [...book.byId.values()].flatMap((entry) => entry.groups);
  return ({ reason, detail, option_group_id, option_id }: Reason): string => {
    const group = groups.find(({ id }) => id === option_group_id);
    const option = groups.flatMap(({ options }) => options).find(({ id }) => id === option_id);
    switch (reason) {
      case 'temp_no_orders':
      case 'closed':
        return detail
          ? t(`taking.reason_${reason}_detail`, { time: dateTime(detail) })
          : t(`taking.reason_${reason}`);
      case 'minimum_not_reached':
        return t('taking.reason_minimum_not_reached_detail', { minimum: money(detail) });
      case 'no_delivery_there':
        return t(detail ? 'taking.reason_place_unknown' : 'taking.reason_no_delivery_there');
      case 'item_sold_out':
        return t('taking.reason_item_sold_out_detail', { left: detail ?? '0' });
      case 'option_count':
        return t('taking.reason_option_count_detail', {
          name: group?.name ?? t('taking.options'),
          limits: detail?.replace(/-$/, '–') ?? '',
        });
      case 'option_not_available':
        return t('taking.reason_option_not_available_detail', { name: option?.name ?? '' });
      case 'coupon_not_applicable':
        return detail
          ? t('taking.reason_coupon_detail', { code: coupon, why: t(`taking.promotion_${detail}`) })
          : t('taking.reason_coupon_unknown', { code: coupon });
      default:
        return t(`taking.reason_${reason}`);
    }
  };
}

interface Props {
  reasons: readonly Reason[];
  book: Book;
  /** The code of the coupon, where reasons may be about it. */
  coupon?: string;
  id?: string;
}

/** Reasons against the order, in words, where they belong. */
export function Reasons({ reasons, book, coupon = '', id }: Props) {
  const words = useWords(book, coupon);
  if (reasons.length === 0) return null;
  return (
    <ul className="taking-reasons" id={id}>
      {reasons.map((reason, at) => (
        <li key={at}>
          <WarningOutlined aria-hidden /> {words(reason)}
        </li>
      ))}
    </ul>
  );
}
