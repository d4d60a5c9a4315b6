import { useTranslation } from 'react-i18next';
import { type Amount, NONE, useFormat } from '../../lib/format';
import { Chip } from '../../lib/ui/page';

/** Where there is no value. */
export function None() {
  const { t } = useTranslation();
  return <span aria-label={t('state.none')}>{NONE}</span>;
}

/** A balance; debt says so in a word, not by colour or sign alone. */
export function Balance({ value }: { value: Amount }) {
  const { t } = useTranslation();
  const { money } = useFormat();
  if (value === null || value === undefined) return <None />;
  return Number(value) < 0 ? (
    <span className="customer-balance">
      <span className="num">{money(value)}</span> <Chip tone="error">{t('customers.debt')}</Chip>
    </span>
  ) : (
    <span className="num">{money(value)}</span>
  );
}
