import { Form, type FormRule, Input, Radio } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { exportRequestsList, orderExportsCreate } from '../../generated/client/orders/orders';
import type { NewOrderExport } from '../../generated/model';
import { ActionDrawer } from '../../lib/crud/ActionDrawer';
import { useInputForm } from '../../lib/form/useInputForm';
import { ApiError } from '../../lib/http';
import { useMe } from '../../lib/me';
import { useRead } from '../../lib/query';
import { here } from '../../lib/target';
import { useNotify } from '../../lib/ui/notify';
import { PinDialog } from '../order-export/PinDialog';
import { Recent } from '../order-export/Recent';
import { bodyOf, type Filter } from './filter';
import { useFilterWords } from './useWords';
import '../order-export/export.css';
import '../../lib/form/draft.css';

type Values = Required<Pick<NewOrderExport, 'export_email'>> & { format: 'xlsx' | 'csv' };
const EMAIL = /^[^\s@<>,;"()]+@[^\s@<>,;"()]+\.[^\s@<>,;"().]+$/;

/** How often it is looked how far one is. ms */
const POLL_MS = 1000;

/** The last exports of this kind; read again while one of them is being made. */
const useRequests = () =>
  useRead('exportRequestsList', () => exportRequestsList(...here()), {
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'waiting' || status === 'running') ? POLL_MS : false,
    select: (rows) => rows.filter((row) => row.export_type === 'order_list_export'),
  });

/** An export by mail of what the filter finds: to whom, what kind of file, then the PIN; below the last ones. */
export function ExportDrawer({ filter, onClose }: { filter: Filter; onClose: () => void }) {
  const { t } = useTranslation();
  const me = useMe();
  const notify = useNotify();
  const words = useFilterWords()(filter).map(({ text }) => text);
  const requests = useRequests();
  /** Checked, and waiting for the PIN. */
  const [pending, setPending] = useState<Values>();

  const order = async ({ export_email, format }: Values, pin?: string) => {
    const email = export_email.trim();
    const body: NewOrderExport = { export_email: email, format, filter: bodyOf(filter) };
    await orderExportsCreate(...here(), body, undefined, pin ? { 'X-Pin': pin } : undefined);
    notify.success(t('export_requests.ordered', { email }), t('previous.export_progress'));
    await requests.refetch();
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
        <div className="previous-export">
          <Recent requests={requests} />
        </div>
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
