import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format';
import { useRestaurant } from '../../lib/target';
import { useNotify } from '../../lib/ui/notify';
import { wholeOrder } from './api';
import type { OrderRow } from './model';
import type { SlipKind } from './slip/Slip';

/** Prints a slip; its code is loaded with the first one. */
export function usePrint(): (kind: SlipKind, order: OrderRow) => void {
  const restaurant = useRestaurant();
  const { language } = useFormat();
  const notify = useNotify();
  return (kind, order) =>
    void Promise.all([import('./slip/print'), wholeOrder(order)])
      .then(([{ printSlip }, whole]) => printSlip(kind, whole, restaurant, language))
      .catch(notify.problem);
}

/** Entries of a menu. */
export function usePrintItems(): (order: OrderRow) => { key: string; label: string; onClick: () => void }[] {
  const { t } = useTranslation();
  const print = usePrint();
  return (order) => [
    { key: 'kitchen', label: t('order.print_kitchen'), onClick: () => print('kitchen', order) },
    { key: 'guest', label: t('order.print_guest'), onClick: () => print('guest', order) },
  ];
}
