import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import { type Amount, useFormat } from '../../../lib/format';
import { ApiError } from '../../../lib/http';
import { ProblemAlert } from '../../../lib/ui/states';
import type { Order } from '../model';
import { unsigned } from '../payments/amount';
import { totalLeft } from '../payments/model';
import type { Rehearsed } from './parts';

/** What is said at its field already. */
const AT_FIELDS = ['ORDER_NOT_ACCEPTABLE', 'VALIDATION_FAILED'];

/** What the order would cost, before it is sent. */
export function Preview({ order, empty, rehearsal }: { order: Order; empty: boolean } & Rehearsed) {
  const { t } = useTranslation();
  const { order: after, error, stale } = rehearsal;
  const told = error instanceof ApiError && AT_FIELDS.includes(error.code);
  if (error !== undefined && !told) return <ProblemAlert error={error} />;
  if (empty) return <p className="edit-help">{t('order.change_nothing')}</p>;
  return (
    <div
      className="change-preview"
      role="status"
      aria-label={t('order.change_preview')}
      data-stale={stale}
      aria-busy={stale}
    >
      {after ? (
        <Sums before={order} after={after} />
      ) : (
        <p>{t(told ? 'order.change_refused' : 'order.change_unpriced')}</p>
      )}
    </div>
  );
}

function Sums({ before, after }: { before: Order; after: Order }) {
  const { t } = useTranslation();
  const { money } = useFormat();
  const due = Number(after.due);
  return (
    <>
      <dl className="num">
        {after.delivery_region_name && !after.pickup && (
          <div>
            <dt>{t('order.change_of_delivery_region_id')}</dt>
            <dd>{after.delivery_region_name}</dd>
          </div>
        )}
        <Sum
          label={t('order.change_of_delivery_price')}
          before={before.delivery_price}
          after={after.delivery_price}
        />
        <Sum label={t('order.change_of_courier_tip')} before={before.courier_tip} after={after.courier_tip} />
        <Sum label={t('order.total')} before={totalLeft(before)} after={totalLeft(after)} always />
        {Number(after.paid) > 0 && due !== 0 && (
          <div>
            <dt>{t(due > 0 ? 'order.change_due' : 'order.change_back')}</dt>
            <dd>{money(unsigned(after.due))}</dd>
          </div>
        )}
      </dl>
      {due < 0 && Number(before.due) >= 0 && (
        <Alert type="info" showIcon title={t('order.change_back_text')} />
      )}
    </>
  );
}

/** The total in one line, which stays in sight while the fields are scrolled. */
export function TotalLine({ order, rehearsal: { order: after, stale } }: { order: Order } & Rehearsed) {
  const { t } = useTranslation();
  const { money } = useFormat();
  if (!after) return null;
  const [was, is] = [totalLeft(order), totalLeft(after)];
  return (
    <span className="change-total num" data-stale={stale} aria-hidden>
      {t('order.total')}: {Number(was) !== Number(is) && <s>{money(was)}</s>} <b>{money(is)}</b>
    </span>
  );
}

interface SumProps {
  label: string;
  before: Amount;
  after: Amount;
  /** Also where it stays. */
  always?: boolean;
}

function Sum({ label, before, after, always = false }: SumProps) {
  const { t } = useTranslation();
  const { money } = useFormat();
  const other = Number(before) !== Number(after);
  if (!other && !always) return null;
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {other && (
          <>
            <s>
              <span className="sr-only">{t('order.change_before')} </span>
              {money(before)}
            </s>{' '}
          </>
        )}
        <b>{money(after)}</b>
      </dd>
    </div>
  );
}
