import { useTranslation } from 'react-i18next';
import type { OrderQuoted, Quote } from '../../generated/model';
import { type Amount, useFormat } from '../../lib/format';
import { ApiError } from '../../lib/http';
import { Button } from '../../lib/ui/Button';
import { Dialog } from '../../lib/ui/Dialog';
import { IN_LINES } from './promotions';
import './taking.css';

/** What the guest was told, and what it costs now. */
export interface PriceChange {
  before: Quote | undefined;
  now: Quote;
}

/** The new price of a refusal, if that is what was refused. */
export const newPriceOf = (failure: unknown): Quote | undefined =>
  failure instanceof ApiError && failure.code === 'ORDER_PRICE_CHANGED'
    ? (failure.problem.quote as Quote | undefined)
    : undefined;

/** The part of a quote that an order sends back. */
export const quotedOf = ({ lines, items }: Quote): OrderQuoted => ({
  lines,
  items: items.map(({ unit_price, paid_price }) => ({ unit_price, paid_price })),
});

interface Row {
  /** Unique: the name, and which of several that are called so. */
  key: string;
  name: string;
  before: Amount;
  now: Amount;
}

/** Items and steps by their names, with their amounts. */
function amountsOf(quote: Quote | undefined, stepName: (step: string) => string) {
  const rows = new Map<string, { name: string; amount: Amount }>();
  const names = new Map(quote?.promotions.map(({ promotion_id, name }) => [promotion_id, name]));
  const add = (name: string, amount: Amount) => {
    let at = 1;
    while (rows.has(`${name} ${at}`)) at += 1;
    rows.set(`${name} ${at}`, { name, amount });
  };
  for (const item of quote?.items ?? []) add(`${item.quantity} × ${item.name}`, item.paid_price);
  for (const { step, ref, amount } of quote?.lines ?? [])
    if (!IN_LINES.has(step)) add((ref && names.get(ref)) ?? stepName(step), amount);
  return rows;
}

/** Items and steps with both amounts; those that are equal are left out. */
export function changedRows({ before, now }: PriceChange, stepName: (step: string) => string): Row[] {
  const [old, fresh] = [amountsOf(before, stepName), amountsOf(now, stepName)];
  return [...new Map([...old, ...fresh])]
    .map(([key, { name }]) => ({
      key,
      name,
      before: old.get(key)?.amount,
      now: fresh.get(key)?.amount,
    }))
    .filter((row) => row.before !== row.now);
}

interface Props {
  change: PriceChange;
  onAccept: () => void;
  onClose: () => void;
}

/** The price has changed since it was said: old and new beside each other, for the guest to agree. */
export function PriceChangedDialog({ change, onAccept, onClose }: Props) {
  const { t } = useTranslation();
  const { money } = useFormat();
  const rows = changedRows(change, (step) => t(`taking.step_${step}`));
  return (
    <Dialog
      title={t('taking.price_changed')}
      onCancel={onClose}
      footer={[
        <Button key="back" autoFocus onClick={onClose}>
          {t('taking.price_back')}
        </Button>,
        <Button key="send" type="primary" onClick={onAccept}>
          {t('taking.price_accept', { total: money(change.now.total_price) })}
        </Button>,
      ]}
    >
      <p>{t('taking.price_changed_text')}</p>
      <table className="taking-compare">
        <thead>
          <tr>
            <th scope="col">{t('taking.what')}</th>
            <th scope="col">{t('taking.price_before')}</th>
            <th scope="col">{t('taking.price_now')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, before, now }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              <td className="num">{money(before)}</td>
              <td className="num">{money(now)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">{t('taking.total')}</th>
            <td className="num">{money(change.before?.total_price)}</td>
            <td className="num">
              <b>{money(change.now.total_price)}</b>
            </td>
          </tr>
        </tbody>
      </table>
    </Dialog>
  );
}
