import { LeftOutlined, RightOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format';
import { Button } from '../../lib/ui/Button';
import { hasNext, LEDGER_PAGE } from './ledger';

interface Props {
  /** What is paged, for names of the buttons. */
  of: string;
  /** From 0. */
  page: number;
  rows: number;
  total: number;
  onChange: (page: number) => void;
}

/** The way through pages of ten. */
export function Pager({ of, page, rows, total, onChange }: Props) {
  const { t } = useTranslation();
  const { number } = useFormat();
  if (total <= LEDGER_PAGE && page === 0) return null;
  const first = page * LEDGER_PAGE + 1;
  return (
    <nav className="customer-pager" aria-label={of}>
      <Button
        icon={<LeftOutlined />}
        aria-label={t('customers.newer', { of })}
        disabled={page === 0}
        onClick={() => onChange(page - 1)}
      />
      <span className="num" aria-live="polite">
        {t('customers.page_of', {
          from: number(first),
          till: number(first + Math.max(rows, 1) - 1),
          total: number(total),
        })}
      </span>
      <Button
        icon={<RightOutlined />}
        aria-label={t('customers.older', { of })}
        disabled={!hasNext(rows, page, total)}
        onClick={() => onChange(page + 1)}
      />
    </nav>
  );
}
