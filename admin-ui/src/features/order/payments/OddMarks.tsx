import { WarningOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../../lib/access';
import { usePageUrl } from '../../../lib/navigation';
import type { Mark } from './marks';

/** What is odd about a payment, and the way to what was said about it. */
export function OddMarks({ marks, id }: { marks: readonly Mark[]; id: string }) {
  const { t } = useTranslation();
  const can = useCan();
  const url = usePageUrl();
  return (
    <div className="payment-marks">
      {marks.map((mark) => (
        <p key={mark}>
          <WarningOutlined aria-hidden /> {t(`order.mark_${mark}`)}
        </p>
      ))}
      {can('all_order') && (
        <Link className="fact-link" to={url('payments', id)}>
          {t('order.mark_open')}
        </Link>
      )}
    </div>
  );
}
