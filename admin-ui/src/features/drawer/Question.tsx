import { useTranslation } from 'react-i18next';
import type { Drawer } from '../../generated/model';
import { useNotify } from '../../lib/ui/notify';
import { hundredths, plain } from '../order/payments/exact';
import { type CloseValues, countedName, differenceOf, isCash, leftName, type Line } from './model';
import { useLineName, useMoney, useVerdict } from './parts';

/** Asks before a drawer is closed: what was counted, what is missing, what stays, what is assumed. */
export function useQuestion(
  lines: readonly Line[],
  drawer: Drawer,
): (values: CloseValues) => Promise<boolean> {
  const { t } = useTranslation();
  const notify = useNotify();
  const name = useLineName();
  const money = useMoney();
  const verdict = useVerdict();
  const countedLines = (values: CloseValues) =>
    lines.flatMap((line) => {
      const difference = differenceOf(line, values);
      if (difference === undefined) return [];
      const counted = values[countedName(line)];
      const stays = isCash(line)
        ? [t('drawer.stays', { amount: money(values[leftName(line)] || counted, line.currency) })]
        : [];
      const said = [money(counted, line.currency), verdict(difference, line.currency), ...stays];
      return [{ id: line.id, text: `${name(line)}: ${said.join(', ')}` }];
    });
  const due = drawer.unpaid.reduce((sum, order) => sum + hundredths(order.due), 0n);
  const assumed =
    drawer.unpaid.length === 0
      ? t('drawer.nothing_assumed')
      : t('drawer.will_assume', {
          number: drawer.unpaid.length,
          amount: money(plain(due), drawer.currency),
        });
  return (values) =>
    notify.confirm({
      title: t('drawer.close_question'),
      effect: (
        <div className="drawer-question">
          <ul>
            {countedLines(values).map(({ id, text }) => (
              <li key={id}>{text}</li>
            ))}
          </ul>
          <p>{assumed}</p>
          <p>{t('drawer.close_final')}</p>
        </div>
      ),
      verb: t('drawer.close'),
    });
}
