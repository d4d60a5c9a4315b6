import { Form } from 'antd';
import { useTranslation } from 'react-i18next';
import { devicesCreate } from '../../generated/client/devices/devices';
import { fields } from '../../generated/fields/devices.gen';
import type { Device } from '../../generated/model';
import { ActionDrawer, useInputForm } from '../../lib/crud';
import { Field } from '../../lib/fields/Field';
import { useForget } from '../../lib/query';
import { here } from '../../lib/target';

interface Values {
  name: string;
  kind: 'guest_tv' | 'kiosk';
  restaurant_tv_id?: string;
  restaurant_kiosk_id?: string;
}

/** What a device is, is said when it is added; afterwards only its name can change. */
export function NewDevice({ onClose, onMade }: { onClose: () => void; onMade: (device: Device) => void }) {
  const { t } = useTranslation();
  const forget = useForget();
  const action = useInputForm<Values, Device>({
    initial: { kind: 'guest_tv' },
    send: (body) => devicesCreate(...here(), body),
    onDone: (device) => {
      void forget(['devicesList']);
      onMade(device);
    },
  });
  const kind = Form.useWatch('kind', action.form) ?? 'guest_tv';
  const subject = kind === 'kiosk' ? 'restaurant_kiosk_id' : 'restaurant_tv_id';
  return (
    <ActionDrawer action={action} title={t('devices.new')} verb={t('devices.pair')} onClose={onClose}>
      <Field name="name" info={{ ...fields.name, required: true }} resource="devices" />
      <Field name="kind" info={{ ...fields.kind, required: true }} resource="devices" />
      <Field key={subject} name={subject} info={{ ...fields[subject], required: true }} resource="devices" />
    </ActionDrawer>
  );
}
