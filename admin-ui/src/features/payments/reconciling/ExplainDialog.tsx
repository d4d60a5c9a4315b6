import { useTranslation } from 'react-i18next';
import type { PaymentReconciliationLine } from '../../../generated/model';
import { ActionDialog } from '../../../lib/crud/ActionDrawer';
import { useInputForm } from '../../../lib/form/useInputForm';
import { Reason } from '../../order/payments/OutcomeDialog';
import { useComparing } from './api';

interface Props {
  line: PaymentReconciliationLine;
  onClose: () => void;
}

/** Says why a difference is no fault. */
export default function ExplainDialog({ line, onClose }: Props) {
  const { t } = useTranslation();
  const { explain } = useComparing();
  const action = useInputForm<{ reason?: string }>({
    initial: {},
    guard: false,
    // The same words a second time change nothing.
    repeatable: true,
    send: ({ reason }) => explain(line.id, reason?.trim() ?? ''),
    onDone: onClose,
  });
  return (
    <ActionDialog
      action={action}
      title={t('payments.explain_title')}
      verb={t('payments.explain_do')}
      onClose={onClose}
    >
      <p className="edit-help">{t(`payments.difference.${line.difference}`)}</p>
      <Reason required />
    </ActionDialog>
  );
}
