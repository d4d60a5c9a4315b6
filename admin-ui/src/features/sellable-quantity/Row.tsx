import { MinusOutlined, PlusOutlined } from '@ant-design/icons';
import { Radio, Switch } from 'antd';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SellableQuantity } from '../../generated/model';
import { ConflictDialog } from '../../lib/form/ConflictDialog';
import { useFormat } from '../../lib/format';
import { Button } from '../../lib/ui/Button';
import { NumberInput } from '../../lib/ui/NumberInput';
import { Chip } from '../../lib/ui/page';
import { type Clash, MOST, nameOf, type QuantityWork, useQuantityWork, useSwitches } from './useQuantityWork';

const STATES = ['on', 'off_today', 'off'] as const;

/** One size: how many are left, what it refills to, and whether it is sold. */
export function Row({ row: read }: { row: SellableQuantity }) {
  const { t } = useTranslation();
  const work = useQuantityWork(read);
  const { row } = work;
  const name = nameOf(row);
  const out = row.state === 'on' && row.sellable_quantity === 0;
  return (
    <li className="qty-row" data-state={out ? 'out' : row.state} aria-busy={work.busy}>
      <div className="qty-name">
        <b>{row.product_name}</b>
        {name !== row.product_name && <span>{row.name}</span>}
        {out && <Chip tone="error">{t('sellable_quantities.sold_out')}</Chip>}
        {!row.product_active && <Chip tone="warning">{t('sellable_quantities.product_off')}</Chip>}
      </div>
      <Count work={work} name={name} />
      <State work={work} name={name} />
      {work.clash && <ClashDialog clash={work.clash} name={name} resolve={work.settle} />}
    </li>
  );
}

interface PartProps {
  work: QuantityWork;
  name: string;
}

/** Whether it is counted, and how many are left. */
function Count({ work, name }: PartProps) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { row, mayEdit } = work;
  const switches = useSwitches(work);
  const counted = row.sellable_quantity != null;
  if (!mayEdit)
    return (
      <p className="qty-count">
        {counted
          ? t('sellable_quantities.left', {
              count: row.sellable_quantity ?? 0,
              left: number(row.sellable_quantity),
            })
          : t('sellable_quantities.not_counted')}
      </p>
    );
  return (
    <div className="qty-count">
      <label className="target qty-switch">
        <Switch
          checked={counted}
          aria-label={t('sellable_quantities.count_of', { name })}
          onChange={(next) => void switches.count(next)}
        />
        <span aria-hidden>{t('sellable_quantities.count')}</span>
      </label>
      {counted && (
        <>
          <Stepper work={work} name={name} />
          <Daily work={work} name={name} />
        </>
      )}
    </div>
  );
}

/**
 * A number that is sent when its field is left or with Enter; meanwhile what the service says does not disturb it.
 * It is sent with the version that was shown when somebody began to type.
 */
function useTyped(
  now: number | null,
  version: number,
  send: (value: number | null, version: number) => Promise<boolean>,
) {
  const [typed, setTyped] = useState<{ value: number | null; version: number }>();
  const sending = useRef(false);
  const commit = async () => {
    // Enter sends it, and so does leaving the field afterwards: once.
    if (!typed || sending.current) return;
    sending.current = true;
    if (typed.value !== now) await send(typed.value, typed.version);
    sending.current = false;
    setTyped((latest) => (latest === typed ? undefined : latest));
  };
  return {
    value: typed ? typed.value : now,
    onChange: (value: number | null) => setTyped((old) => ({ value, version: old?.version ?? version })),
    onBlur: () => void commit(),
    onPressEnter: () => void commit(),
  };
}

function Stepper({ work, name }: PartProps) {
  const { t } = useTranslation();
  const { row, put, step } = work;
  const { onWith } = useSwitches(work);
  const left = row.sellable_quantity ?? 0;
  const typed = useTyped(left, row.version, (value, version) =>
    // An empty field is no number: what was there stays.
    value === null ? Promise.resolve(true) : put({ sellable_quantity: value, ...onWith(value) }, version),
  );
  return (
    <span className="qty-stepper" role="group" aria-label={t('sellable_quantities.quantity_of', { name })}>
      <Button
        className="qty-step"
        icon={<MinusOutlined />}
        aria-label={t('sellable_quantities.less', { name })}
        disabled={left === 0}
        onClick={() => step(-1)}
      />
      <NumberInput<number>
        className="qty-number"
        aria-label={t('sellable_quantities.pieces_of', { name })}
        min={0}
        max={MOST}
        precision={0}
        inputMode="numeric"
        {...typed}
      />
      <Button
        className="qty-step"
        icon={<PlusOutlined />}
        aria-label={t('sellable_quantities.more', { name })}
        disabled={left >= MOST}
        onClick={() => step(1)}
      />
    </span>
  );
}

/** What it refills to at the beginning of each business day. */
function Daily({ work, name }: PartProps) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  const id = useId();
  const { row, put } = work;
  const typed = useTyped(row.daily_quantity ?? null, row.version, (value, version) =>
    put({ daily_quantity: value }, version),
  );
  return (
    <span className="qty-daily">
      <label htmlFor={id}>{t('sellable_quantities.daily')}</label>
      <NumberInput<number>
        id={id}
        className="qty-number"
        aria-label={t('sellable_quantities.daily_of', { name })}
        placeholder="–"
        min={1}
        max={MOST}
        precision={0}
        inputMode="numeric"
        {...typed}
      />
      {row.refill_at && (
        <span className="qty-note">{t('sellable_quantities.refills', { at: dateTime(row.refill_at) })}</span>
      )}
    </span>
  );
}

/** Sold, off for today, or off for good. */
function State({ work, name }: PartProps) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  const { row, mayActivate } = work;
  const switches = useSwitches(work);
  return (
    <div className="qty-state">
      {mayActivate ? (
        <Radio.Group
          aria-label={t('sellable_quantities.state_of', { name })}
          optionType="button"
          value={row.state}
          onChange={({ target }) => void switches.state(target.value as SellableQuantity['state'])}
          options={STATES.map((value) => ({ value, label: t(`sellable_quantities.state.${value}`) }))}
        />
      ) : (
        <Chip tone={row.state === 'on' ? 'success' : 'neutral'}>
          {t(`sellable_quantities.state.${row.state}`)}
        </Chip>
      )}
      {row.off_until && (
        <span className="qty-note">{t('sellable_quantities.back', { at: dateTime(row.off_until) })}</span>
      )}
    </div>
  );
}

/** Somebody else has set it since it was shown: whose number holds. */
function ClashDialog({
  clash: { sent, current, by, at },
  name,
  resolve,
}: {
  clash: Clash;
  name: string;
  resolve: QuantityWork['settle'];
}) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const pieces = (value: number | null | undefined) =>
    value == null ? t('sellable_quantities.not_counted') : number(value);
  const rows = [
    ...('sellable_quantity' in sent
      ? [
          {
            key: 'sellable_quantity',
            label: t('sellable_quantities.sellable_quantity'),
            mine: pieces(sent.sellable_quantity),
            theirs: pieces(current.sellable_quantity),
          },
        ]
      : []),
    ...('daily_quantity' in sent
      ? [
          {
            key: 'daily_quantity',
            label: t('sellable_quantities.daily_quantity'),
            mine: sent.daily_quantity == null ? '–' : number(sent.daily_quantity),
            theirs: current.daily_quantity == null ? '–' : number(current.daily_quantity),
          },
        ]
      : []),
    ...(sent.state
      ? [
          {
            key: 'state',
            label: t('sellable_quantities.state'),
            mine: t(`sellable_quantities.state.${sent.state}`),
            theirs: t(`sellable_quantities.state.${current.state}`),
          },
        ]
      : []),
  ];
  return <ConflictDialog open saved={{ by, at }} help={name} rows={rows} resolve={resolve} />;
}
