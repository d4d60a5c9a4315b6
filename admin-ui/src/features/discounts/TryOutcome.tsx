import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { DiscountTrialResult, Quote, QuotePromotion } from '../../generated/model';
import { useFormat } from '../../lib/format';
import { inOrder } from './trial';
import type { DiscountForm } from './useDiscountForm';

interface Props {
  result: DiscountTrialResult;
  form: DiscountForm;
}

/** What the cart costs, without and with what the form says. */
export function TryOutcomes({ result, form: { draft } }: Props) {
  const { t } = useTranslation();
  const ref = useRef<HTMLDivElement>(null);
  // The button stands at the lower end of the drawer: what it brings would stay out of sight.
  // No answer of a browser is a clean-up: newer ones answer a promise.
  useEffect(() => void ref.current?.scrollIntoView({ block: 'nearest' }), [result]);
  const about = draft.ranges.some((range) => range.free_delivery || range.apply_on_delivery);
  return (
    <div className="discount-try-results" ref={ref}>
      <Outcome title={t('discounts.try_now')} quote={result.now} />
      {result.draft && (
        <Outcome
          title={t('discounts.try_draft')}
          quote={result.draft}
          own={draft.name}
          note={
            about && result.draft.delivery_original_price === 0
              ? t('discounts.try_without_delivery')
              : undefined
          }
        />
      )}
    </div>
  );
}

interface OutcomeProps {
  title: string;
  quote: Quote;
  /** The name of the promotion that is tried. */
  own?: string;
  note?: string | undefined;
}

/** The price, and of each promotion what it takes or why it does not. */
function Outcome({ title, quote, own, note }: OutcomeProps) {
  const { t } = useTranslation();
  const { money } = useFormat();
  return (
    <section className="discount-try-result" aria-label={title}>
      <h3>{title}</h3>
      <dl>
        <dt>{t('discounts.try_original')}</dt>
        <dd className="num">{money(quote.original_price)}</dd>
        <dt>{t('discounts.try_discount')}</dt>
        <dd className="num">{taken(money(quote.discount_price), quote.discount_price)}</dd>
        <dt>
          <b>{t('discounts.try_total')}</b>
        </dt>
        <dd className="num">
          <b>{money(quote.total_price)}</b>
        </dd>
      </dl>
      {quote.promotions.length === 0 ? (
        <p>{t('discounts.try_none')}</p>
      ) : (
        <ul>
          {inOrder(quote.promotions, own).map((one) => (
            <li key={one.promotion_id} data-own={one.name === own}>
              <span>{one.name}</span>
              <PromotionOutcome promotion={one} />
            </li>
          ))}
        </ul>
      )}
      {note && <p className="edit-help">{note}</p>}
      {quote.reasons.length > 0 && <p className="edit-help">{t('discounts.try_refused')}</p>}
    </section>
  );
}

const taken = (text: string, amount: number) => (amount > 0 ? `−${text}` : text);

function PromotionOutcome({
  promotion: { amount, reason, to_next_range: missing, range_filter_type, gifts },
}: {
  promotion: QuotePromotion;
}) {
  const { t } = useTranslation();
  const { money, number } = useFormat();
  const given = gifts.map(({ state, quantity, name }) =>
    t(`discounts.try_gift_${state}` as 'discounts.try_gift_given', { count: quantity, name }),
  );
  const shown =
    missing &&
    (range_filter_type === 'by_price' ? money(missing) : `${number(missing)} ${t('discounts.pieces')}`);
  return (
    <span>
      {[
        reason
          ? t(`discounts.reason_${reason}` as 'discounts.reason_no_effect')
          : taken(money(amount), amount),
        ...given,
        ...(shown ? [t('discounts.try_missing', { missing: shown })] : []),
      ].join(' · ')}
    </span>
  );
}
