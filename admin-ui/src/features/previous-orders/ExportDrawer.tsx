import { Form, type FormRule, Input, Radio } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { orderExportsCreate } from '../../generated/client/orders/orders';
import type { NewOrderExport } from '../../generated/model';
import { ActionDrawer } from '../../lib/crud/ActionDrawer';
import { useInputForm } from '../../lib/form/useInputForm';
import { ApiError } from '../../lib/http';
import { useMe } from '../../lib/me';
import { PinDialog } from '../../lib/pin/PinDialog';
import { useForget } from '../../lib/query';
import { here } from '../../lib/target';
import { useNotify } from '../../lib/ui/notify';
import { bodyOf, type Filter } from './filter';
import { useFilterWords } from './useWords';
import '../../lib/form/draft.css';

type Values = Required<Pick<NewOrderExport, 'export_email'>> & { format: 'xlsx' | 'csv' };
const EMAIL = /^[^\s@<>,;"()]+@[^\s@<>,;"()]+\.[^\s@<>,;"().]+$/;

/** An export by mail of what the filter finds: to whom, what kind of file, then the PIN. It goes on in the tray. */
export function ExportDrawer({ filter, onClose }: { filter: Filter; onClose: () => void }) {
  const { t } = useTranslation();
  const me = useMe();
  const notify = useNotify();
  const words = useFilterWords()(filter).map(({ text }) => text);
  const forget = useForget();
  /** Checked, and waiting for the PIN. */
  const [pending, setPending] = useState<Values>();

  const order = async ({ export_email, format }: Values, pin?: string) => {
    const email = export_email.trim();
    const body: NewOrderExport = { export_email: email, format, filter: bodyOf(filter) };
    await orderExportsCreate(...here(), body, undefined, pin ? { 'X-Pin': pin } : undefined);
    notify.success(t('export_requests.ordered', { email }), t('work_export.in_tray'));
    await forget(['exportRequestsList']);
  };
  const action = useInputForm<Values>({
    initial: { export_email: me.email, format: 'xlsx' },
    guard: false,
    send: async (values) => {
      // Super admins have no PIN; their support access stands in for it.
      if (me.super_admin) await order(values);
      else setPending(values);
    },
  });
  const orderWithPin = async (values: Values, pin: string) => {
    try {
      await order(values, pin);
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.status !== 422) throw failure;
      action.fail(failure);
    }
  };
  const what = words.length > 0 ? words.join('; ') : t('previous.export_all');
  return (
    <>
      <ActionDrawer
        action={action}
        title={t('previous.export')}
        verb={t('export_requests.order')}
        onClose={onClose}
      >
        <p className="edit-lead">{t('previous.export_lead', { what })}</p>
        <Fields />
      </ActionDrawer>
      {pending && (
        <PinDialog
          title={t('previous.export')}
          effect={t('previous.export_effect', { what, email: pending.export_email.trim() })}
          verb={t('export_requests.order')}
          onPin={(pin) => orderWithPin(pending, pin)}
          onClose={() => setPending(undefined)}
        />
      )}
    </>
  );
}

function Fields() {
  const { t } = useTranslation();
  const email: FormRule = {
    validator: async (_, value: string) => {
      if (!EMAIL.test(value.trim())) throw new Error(t('export_requests.fault_email'));
    },
  };
  return (
    <>
      <Form.Item
        name="export_email"
        label={t('export_requests.export_email')}
        required
        rules={[email]}
        validateTrigger="onSubmit"
      >
        <Input inputMode="email" autoComplete="email" maxLength={254} />
      </Form.Item>
      <Form.Item name="format" label={t('previous.export_format')}>
        <Radio.Group
          aria-label={t('previous.export_format')}
          options={(['xlsx', 'csv'] as const).map((value) => ({
            value,
            label: t(`previous.export_format.${value}`),
          }))}
        />
      </Form.Item>
    </>
  );
}
