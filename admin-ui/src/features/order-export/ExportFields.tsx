import { Alert, Checkbox, Form, type FormInstance, type FormRule, Input, Radio } from 'antd';
import dayjs from 'dayjs';
import { useTranslation } from 'react-i18next';
import DayInput from '../../lib/fields/DayInput';
import { useMe } from '../../lib/me';
import { supportOf } from '../../lib/support/api';
import { useRestaurant } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import type { ExportValues, Kind } from './model';

const EMAIL = /^[^\s@<>,;"()]+@[^\s@<>,;"()]+\.[^\s@<>,;"().]+$/;
/** The longest range of who is no super admin. */
const MONTHS = 12;

interface Props {
  form: FormInstance<ExportValues>;
  kinds: readonly Kind[];
  guests: boolean;
}

/** To whom, what, and of which days. */
export function ExportFields({ form, kinds, guests }: Props) {
  const { t } = useTranslation();
  const all = Form.useWatch('all', { form, preserve: true });
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
        validateTrigger="onBlur"
      >
        <Input inputMode="email" autoComplete="email" maxLength={254} />
      </Form.Item>
      {kinds.length > 1 && (
        <Form.Item name="export_type" label={t('export_requests.export_type')}>
          <Radio.Group
            aria-label={t('export_requests.export_type')}
            options={kinds.map((value) => ({ value, label: t(`export_requests.export_type.${value}`) }))}
          />
        </Form.Item>
      )}
      {guests && (
        <Form.Item name="all" valuePropName="checked">
          <Checkbox>{t('export_requests.all_customers')}</Checkbox>
        </Form.Item>
      )}
      {!all && <RangeFields />}
    </>
  );
}

/** The first and the last day, and of which date of an order they are. */
function RangeFields() {
  const { t } = useTranslation();
  const { super_admin } = useMe();
  const required = { required: true, message: t('export_requests.fault_required') };
  const order: FormRule = ({ getFieldValue }) => ({
    validator: async (_, till: string | null) => {
      const from = getFieldValue('from') as string | null;
      if (!from || !till) return;
      if (from > till) throw new Error(t('export_requests.fault_order'));
      if (!super_admin && dayjs(till).isAfter(dayjs(from).add(MONTHS, 'month')))
        throw new Error(t('export_requests.fault_range'));
    },
  });
  return (
    <>
      <Form.Item name="filter_type" label={t('export_requests.filter_type')}>
        <Radio.Group
          aria-label={t('export_requests.filter_type')}
          options={(['created_at', 'expected_at'] as const).map((value) => ({
            value,
            label: t(`export_requests.filter_type.${value}`),
          }))}
        />
      </Form.Item>
      <div className="export-range">
        <Form.Item name="from" label={t('export_requests.from')} rules={[required]}>
          <DayInput />
        </Form.Item>
        <Form.Item
          name="till"
          label={t('export_requests.till')}
          rules={[required, order]}
          dependencies={['from']}
        >
          <DayInput />
        </Form.Item>
      </div>
    </>
  );
}

/** Sends the form; under a support access it says what that means. */
export function OrderButton({ loading }: { loading: boolean }) {
  const { t } = useTranslation();
  const me = useMe();
  const restaurant = useRestaurant();
  const underSupport = supportOf(me, restaurant.partner_id) !== undefined;
  return (
    <>
      {underSupport && (
        <div id="export-under-support" className="export-note">
          <Alert type="info" showIcon title={t('export_requests.under_support')} />
        </div>
      )}
      {/* Not with the form: after an unknown outcome it sends again. */}
      <Button
        type="primary"
        htmlType="submit"
        loading={loading}
        disabled={false}
        aria-describedby={underSupport ? 'export-under-support' : undefined}
      >
        {t('export_requests.order')}
      </Button>
    </>
  );
}
