import { Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import type { Issuer } from '../../../generated/model';
import { ActionDialog } from '../../../lib/crud/ActionDrawer';
import { useInputForm } from '../../../lib/form/useInputForm';
import { useTextRules } from '../../../lib/form/useTextRules';
import { ApiError } from '../../../lib/http';
import { cancelPayment, confirmPayment, confirmRefund } from './api';
import { SzepFields } from './PayFields';

/** What became of a payment that waited or a refund that was asked, where more must be said than that. */
type Kind = 'szep' | 'failed' | 'cancelled' | 'not_given';

interface Values {
  reason?: string;
  issuer?: Issuer;
  authorisation_number?: string;
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

function call(kind: Kind, id: string, { reason, issuer, authorisation_number }: Values): Promise<unknown> {
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
    case 'not_given':
      return confirmRefund(id, false, why);
  }
}

export default function OutcomeDialog({ kind, id, what, onChanged, onClose }: Props) {
  const { t } = useTranslation();
  const action = useInputForm<Values>({
    initial: {},
    guard: false,
    // Saying it twice is refused, so a missing answer locks nothing.
    repeatable: true,
    send: async (values) => {
      try {
        return await call(kind, id, values);
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
      {kind === 'szep' ? <SzepFields /> : <Reason required={kind !== 'cancelled'} />}
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
