import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { exportRequestsCreate } from '../../generated/client/orders/orders';
import type { NewExportRequest } from '../../generated/model';
import { useFormat } from '../../lib/format';
import { InputForm } from '../../lib/form/InputForm';
import { useInputForm } from '../../lib/form/useInputForm';
import { ApiError } from '../../lib/http';
import { useMe } from '../../lib/me';
import { PinDialog } from '../../lib/pin/PinDialog';
import { here } from '../../lib/target';
import { Card, PageHeader } from '../../lib/ui/page';
import { useNotify } from '../../lib/ui/notify';
import { ExportFields, OrderButton } from './ExportFields';
import { bodyOf, type ExportValues, initialValues, type Kind } from './model';
import { Recent, useRequests } from './Recent';
import './export.css';

/** An export by mail: whom, what, which days; then the PIN. Below stand the last ones of everybody. */
export function ExportPage({ kinds }: { kinds: readonly [Kind, ...Kind[]] }) {
  const { t } = useTranslation();
  const { zone, day } = useFormat();
  const me = useMe();
  const notify = useNotify();
  const requests = useRequests(kinds);
  /** Checked, and waiting for the PIN. */
  const [pending, setPending] = useState<ExportValues>();

  const order = async (body: NewExportRequest, pin?: string) => {
    await exportRequestsCreate(...here(), body, undefined, pin ? { 'X-Pin': pin } : undefined);
    notify.success(t('export_requests.ordered', { email: body.export_email }), t('work_export.in_tray'));
    await requests.refetch();
  };
  const form = useInputForm<ExportValues>({
    initial: initialValues(kinds[0], me.email, zone),
    guard: false,
    send: async () => {
      // Fields that are hidden now have a value too.
      const values = form.form.getFieldsValue(true) as ExportValues;
      // Super admins have no PIN; their support access stands in for it.
      if (me.super_admin) await order(bodyOf(values, zone));
      else setPending(values);
    },
  });
  const orderWithPin = async (values: ExportValues, pin: string) => {
    try {
      await order(bodyOf(values, zone), pin);
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.status !== 422) throw failure;
      form.fail(failure);
    }
  };
  const range = (values: ExportValues) =>
    values.all ? t('export_requests.all_time') : `${day(values.from)} – ${day(values.till)}`;
  const guests = kinds[0] === 'shadow_customer_export';
  return (
    <>
      <PageHeader lead={t(guests ? 'export_requests.lead_guests' : 'export_requests.lead_orders')} />
      <div className="page-cards">
        <Card>
          <div className="export-form">
            <InputForm state={form} name="export">
              <ExportFields form={form.form} kinds={kinds} guests={guests} />
              <OrderButton loading={form.saving} />
            </InputForm>
          </div>
        </Card>
        <Recent requests={requests} />
      </div>
      {pending && (
        <PinDialog
          title={t(`export_requests.pin_title.${pending.export_type}`)}
          effect={t('export_requests.pin_effect', {
            range: range(pending),
            email: pending.export_email.trim(),
          })}
          verb={t('export_requests.order')}
          onPin={(pin) => orderWithPin(pending, pin)}
          onClose={() => setPending(undefined)}
        />
      )}
    </>
  );
}
