import { Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import type { Issuer } from '../../../generated/model';
import { ActionDialog } from '../../../lib/crud/ActionDrawer';
import { useInputForm } from '../../../lib/form/useInputForm';
import { useTextRules } from '../../../lib/form/useTextRules';
import { ApiError } from '../../../lib/http';
import { ApproverPin, withPin } from '../ApproverPin';
import { useStornoRight } from '../useStornoRight';
import { cancelPayment, confirmPayment, confirmRefund, sendRefund } from './api';
import { SzepFields } from './PayFields';

/** What became of a payment that waited or a refund that was asked, where more must be said than that. */
type Kind = 'szep' | 'failed' | 'cancelled' | 'not_given' | 'let_go' | 'dropped';

/** What it leads to, where the title does not say so. */
const HELP: Partial<Record<Kind, string>> = {
  let_go: 'order.refund_by_provider',
  dropped: 'order.refund_dropped_text',
};

interface Values {
  reason?: string;
  issuer?: Issuer;
  authorisation_number?: string;
  pin?: string;
}

interface Props {
  kind: Kind;
  /** Of the payment, of the refund. */
  id: string;
  /** In words. */
  what: string;
  onChanged: () => void;
  onClose: () => void;
}

function call(
  kind: Kind,
  id: string,
  { reason, issuer, authorisation_number, pin }: Values,
): Promise<unknown> {
  const why = reason?.trim() || undefined;
  switch (kind) {
    case 'szep':
      return confirmPayment(id, {
        paid: true,
        issuer: issuer ?? null,
        authorisation_number: authorisation_number?.trim() ?? null,
      });
    case 'failed':
      return confirmPayment(id, { paid: false, reason: why ?? null });
    case 'cancelled':
      return cancelPayment(id, why);
    case 'let_go':
      return sendRefund(id, pin);
    case 'not_given':
    case 'dropped':
      return confirmRefund(id, false, why);
  }
}

export default function OutcomeDialog({ kind, id, what, onChanged, onClose }: Props) {
  const { t } = useTranslation();
  const { needsPin } = useStornoRight();
  const action = useInputForm<Values>({
    initial: {},
    guard: false,
    // Saying it twice is refused, so a missing answer locks nothing.
    repeatable: true,
    send: async (values) => {
      try {
        return await withPin(
          () => call(kind, id, values),
          () => action.form.setFieldValue('pin', ''),
        );
      } catch (failure) {
        if (failure instanceof ApiError && failure.status === 409) onChanged();
        throw failure;
      }
    },
    onDone: () => {
      onChanged();
      onClose();
    },
  });
  return (
    <ActionDialog
      action={action}
      title={t(`order.outcome_${kind}`, { what })}
      verb={t(`order.outcome_${kind}_do`)}
      onClose={onClose}
    >
      {HELP[kind] && <p className="edit-help">{t(HELP[kind])}</p>}
      {kind === 'szep' && <SzepFields />}
      {kind !== 'szep' && kind !== 'let_go' && <Reason required={kind !== 'cancelled'} />}
      {kind === 'let_go' && needsPin && <ApproverPin />}
    </ActionDialog>
  );
}

export function Reason({ required }: { required: boolean }) {
  const { t } = useTranslation();
  const { filled, max } = useTextRules();
  return (
    <Form.Item
      name="reason"
      label={t('order.why')}
      rules={required ? [filled, max(200)] : [max(200)]}
      validateTrigger="onSubmit"
    >
      <Input autoComplete="off" maxLength={200} />
    </Form.Item>
  );
}
