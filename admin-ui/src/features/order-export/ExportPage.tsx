import { Alert, Checkbox, Form, Input, Radio } from 'antd';
import dayjs from 'dayjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { exportRequestsCreate } from '../../generated/client/orders/orders';
import type { ExportRequest, NewExportRequest } from '../../generated/model';
import { DayInput } from '../../lib/fields/DayInput';
import { toInstant, toWall } from '../../lib/fields/zone';
import { PLAIN_DAY, useFormat } from '../../lib/format';
import { ApiError } from '../../lib/http';
import { useMe } from '../../lib/me';
import { supportOf } from '../../lib/support/api';
import { here, useRestaurant } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { Card, PageHeader } from '../../lib/ui/page';
import { useNotify } from '../../lib/ui/notify';
import { ProblemAlert } from '../../lib/ui/states';
import { PinDialog } from './PinDialog';
import { Recent, useRequests } from './Recent';
import './export.css';

type Kind = ExportRequest['export_type'];
interface Values {
  email: string;
  kind: Kind;
  filter: ExportRequest['filter_type'];
  from: string;
  till: string;
  all: boolean;
}
type Faults = Partial<Record<'email' | 'from' | 'till', string>>;

const EMAIL = /^[^\s@<>,;"()]+@[^\s@<>,;"()]+\.[^\s@<>,;"().]+$/;

/** Which key of the service belongs to which field. */
const FIELD: Record<string, keyof Faults> = { export_email: 'email', from: 'from', till: 'till' };

/** An export by mail: whom, what, which days; then the PIN. Below stand the last ones with their progress. */
export function ExportPage({ kinds }: { kinds: readonly Kind[] }) {
  const { t } = useTranslation();
  const { zone, day } = useFormat();
  const me = useMe();
  const notify = useNotify();
  const restaurant = useRestaurant();
  const requests = useRequests(kinds);
  const underSupport = supportOf(me, restaurant.partner_id) !== undefined;
  const guests = kinds[0] === 'shadow_customer_export';
  const [values, setValues] = useState<Values>(() => {
    const today = toWall(new Date().toISOString(), zone);
    return {
      email: me.email,
      kind: kinds[0]!,
      filter: 'created_at',
      from: today.subtract(1, 'month').format(PLAIN_DAY),
      till: today.format(PLAIN_DAY),
      all: false,
    };
  });
  const [faults, setFaults] = useState<Faults>({});
  const [asking, setAsking] = useState(false);
  const [working, setWorking] = useState(false);
  const [error, setError] = useState<unknown>();
  const set = (change: Partial<Values>) => {
    setValues({ ...values, ...change });
    setFaults({});
    setError(undefined);
  };

  const check = (): Faults => {
    const found: Faults = {};
    if (!EMAIL.test(values.email.trim())) found.email = t('export_requests.fault_email');
    if (values.all) return found;
    if (!values.from) found.from = t('export_requests.fault_required');
    if (!values.till) found.till = t('export_requests.fault_required');
    else if (values.from > values.till) found.till = t('export_requests.fault_order');
    else if (!me.super_admin && dayjs(values.till).isAfter(dayjs(values.from).add(12, 'month')))
      found.till = t('export_requests.fault_range');
    return found;
  };
  const send = async (pin?: string) => {
    const body: NewExportRequest = {
      export_email: values.email.trim(),
      export_type: values.kind,
      filter_type: values.filter,
    };
    if (values.all) body.all_customers = true;
    else {
      body.from = toInstant(dayjs(`${values.from}T00:00`), zone);
      // The end of the day, whatever the clocks do in it: the last millisecond before the next one.
      const next = toInstant(dayjs(`${values.till}T00:00`).add(1, 'day'), zone);
      body.till = new Date(Date.parse(next) - 1).toISOString();
    }
    try {
      await exportRequestsCreate(...here(), body, undefined, pin ? { 'X-Pin': pin } : undefined);
    } catch (problem) {
      if (problem instanceof ApiError && problem.status === 422) {
        const keys = problem.keys.map((key) => FIELD[key]).filter((key) => key !== undefined);
        setFaults(
          Object.fromEntries(
            keys.map((key) => [key, t(`export_requests.fault_${key === 'email' ? 'email' : 'range'}`)]),
          ),
        );
        setError(keys.length > 0 ? undefined : problem);
        return;
      }
      throw problem;
    }
    notify.success(t('export_requests.ordered', { email: values.email.trim() }));
    await requests.refetch();
  };
  const submit = async () => {
    const found = check();
    setFaults(found);
    if (Object.keys(found).length > 0)
      return document.getElementById(`export-${Object.keys(found)[0]}`)?.focus();
    // Super admins have no PIN; their support access stands in for it.
    if (!me.super_admin) return setAsking(true);
    setWorking(true);
    try {
      await send();
    } catch (problem) {
      setError(problem);
    } finally {
      setWorking(false);
    }
  };
  const item = (name: keyof Faults) => ({
    htmlFor: `export-${name}`,
    ...(faults[name] ? { validateStatus: 'error' as const, help: faults[name] } : {}),
  });
  const range = values.all ? t('export_requests.all_time') : `${day(values.from)} – ${day(values.till)}`;
  return (
    <>
      <PageHeader lead={t(guests ? 'export_requests.lead_guests' : 'export_requests.lead_orders')} />
      <div className="page-cards">
        <Card>
          {error !== undefined && <ProblemAlert error={error} onClose={() => setError(undefined)} />}
          <Form layout="vertical" requiredMark={false} className="export-form" onFinish={() => void submit()}>
            <Form.Item label={t('export_requests.export_email')} required {...item('email')}>
              <Input
                id="export-email"
                inputMode="email"
                autoComplete="email"
                maxLength={254}
                value={values.email}
                onChange={(event) => set({ email: event.target.value })}
              />
            </Form.Item>
            {kinds.length > 1 && (
              <Form.Item label={t('export_requests.export_type')}>
                <Radio.Group
                  aria-label={t('export_requests.export_type')}
                  value={values.kind}
                  onChange={(event) => set({ kind: event.target.value as Kind })}
                  options={kinds.map((value) => ({
                    value,
                    label: t(`export_requests.export_type.${value}`),
                  }))}
                />
              </Form.Item>
            )}
            {guests && (
              <Form.Item>
                <Checkbox checked={values.all} onChange={(event) => set({ all: event.target.checked })}>
                  {t('export_requests.all_customers')}
                </Checkbox>
              </Form.Item>
            )}
            {!values.all && (
              <>
                <Form.Item label={t('export_requests.filter_type')}>
                  <Radio.Group
                    aria-label={t('export_requests.filter_type')}
                    value={values.filter}
                    onChange={(event) => set({ filter: event.target.value as Values['filter'] })}
                    options={(['created_at', 'expected_at'] as const).map((value) => ({
                      value,
                      label: t(`export_requests.filter_type.${value}`),
                    }))}
                  />
                </Form.Item>
                <div className="export-range">
                  <Form.Item label={t('export_requests.from')} required {...item('from')}>
                    <DayInput
                      id="export-from"
                      value={values.from || null}
                      onChange={(from) => set({ from: from ?? '' })}
                    />
                  </Form.Item>
                  <Form.Item label={t('export_requests.till')} required {...item('till')}>
                    <DayInput
                      id="export-till"
                      value={values.till || null}
                      onChange={(till) => set({ till: till ?? '' })}
                    />
                  </Form.Item>
                </div>
              </>
            )}
            {underSupport && (
              <div id="export-under-support" className="export-note">
                <Alert type="info" showIcon title={t('export_requests.under_support')} />
              </div>
            )}
            <Button
              type="primary"
              htmlType="submit"
              loading={working}
              aria-describedby={underSupport ? 'export-under-support' : undefined}
            >
              {t('export_requests.order')}
            </Button>
          </Form>
        </Card>
        <Recent requests={requests} />
      </div>
      {asking && (
        <PinDialog
          title={t(`export_requests.pin_title.${values.kind}`)}
          effect={t('export_requests.pin_effect', { range, email: values.email.trim() })}
          verb={t('export_requests.order')}
          onPin={send}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
