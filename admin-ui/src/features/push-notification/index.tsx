import { Alert, Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { pushNotificationsReach } from '../../generated/client/people/people';
import { fields } from '../../generated/fields/push_notifications.gen';
import type { PushNotification } from '../../generated/model';
import { type Column, FormDrawer, ResourceList, useResourceForm } from '../../lib/crud';
import { isWord } from '../../lib/features';
import { NONE, useFormat } from '../../lib/format';
import { useLiveEvent } from '../../lib/live';
import { usePage, usePageUrl } from '../../lib/navigation';
import { useForget, useRead } from '../../lib/query';
import { useRestaurant } from '../../lib/target';
import { Chip, Facts, type Tone } from '../../lib/ui/page';
import { Loading } from '../../lib/ui/states';
import { SideDrawer } from '../../lib/ui/SideDrawer';
import './push.css';

const TONES: Record<PushNotification['status'], Tone> = {
  waiting: 'info',
  sending: 'warning',
  sent: 'success',
  missed: 'error',
};
/** Code points, as the service counts. */
const length = (text: string) => [...text].length;

/** Messages to the devices of guests, at their time, each with its report. */
export default function PushNotifications() {
  const { t } = useTranslation();
  const { path, open } = usePage();
  const url = usePageUrl();
  const { number } = useFormat();
  const restaurant = useRestaurant();
  const forget = useForget();
  const reach = useRead('pushNotificationsReach', () =>
    pushNotificationsReach(restaurant.partner_id, restaurant.id),
  );
  const again = () => void forget(['push_notifications']);
  useLiveEvent('TASK_PUSH_NOTIFICATION_RELOAD', again);
  useLiveEvent('TASK_RELOAD', again);

  const columns: Column<PushNotification>[] = [
    { key: 'notification_title', render: (row) => row.notification_title },
    { key: 'scheduled_at' },
    {
      key: 'status',
      title: t('push_notifications.status'),
      render: (row) => <Chip tone={TONES[row.status]}>{t(`push_notifications.status.${row.status}`)}</Chip>,
    },
    {
      key: 'accepted',
      title: t('push_notifications.accepted'),
      align: 'right',
      render: (row) => (row.status === 'sent' ? `${number(row.accepted)} / ${number(row.recipients)}` : NONE),
    },
  ];
  const at = path[0];
  return (
    <>
      <ResourceList
        resource="push_notifications"
        fields={fields}
        lead={
          reach.data
            ? t('push_notifications.reach', { count: reach.data.devices, shown: number(reach.data.devices) })
            : t('push_notifications.lead')
        }
        columns={columns}
        nameOf={(row) => row.notification_title}
        href={(row) => url('push_notification', row.id) + location.search}
        onOpen={(row) => open(row.id)}
        onNew={() => open('new')}
      />
      {reach.data?.available === false && (
        <Alert
          type="warning"
          showIcon
          title={t('push_notifications.unavailable')}
          style={{ marginTop: 16 }}
        />
      )}
      {at && <Editor key={at} id={isWord('new', at) ? undefined : at} onClose={() => open()} />}
    </>
  );
}

/** The form until it is sent; from then on the report. */
function Editor({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const { t } = useTranslation();
  const state = useResourceForm({ resource: 'push_notifications', fields, id });
  const row = state.row && (state.row as unknown as PushNotification);
  if (row?.notification_sent) return <Report row={row} onClose={onClose} />;
  return (
    <FormDrawer
      state={state}
      resource="push_notifications"
      fields={fields}
      name={row?.notification_title}
      title={id === undefined ? t('push_notifications.new') : (row?.notification_title ?? t('state.loading'))}
      layout={['notification_title', 'notification_body', 'scheduled_at']}
      overrides={{
        notification_title: {
          input: <Input count={{ show: true, max: 65, strategy: length }} autoComplete="off" />,
        },
        notification_body: {
          input: (
            <Input.TextArea
              count={{ show: true, max: 240, strategy: length }}
              autoSize={{ minRows: 3, maxRows: 6 }}
            />
          ),
        },
      }}
      onClose={onClose}
    >
      {row?.status === 'missed' && (
        <Alert type="error" showIcon title={t('push_notifications.missed_text')} />
      )}
      <Preview />
    </FormDrawer>
  );
}

/** About how a phone shows it. */
function Preview() {
  const { t } = useTranslation();
  const restaurant = useRestaurant();
  const title = Form.useWatch('notification_title', { preserve: true }) as string | undefined;
  const body = Form.useWatch('notification_body', { preserve: true }) as string | undefined;
  return (
    <section className="push-preview" aria-label={t('push_notifications.preview')}>
      <span className="push-from">{restaurant.name}</span>
      <b>{title || t('push_notifications.notification_title')}</b>
      <span>{body || t('push_notifications.notification_body')}</span>
    </section>
  );
}

function Report({ row, onClose }: { row: PushNotification; onClose: () => void }) {
  const { t } = useTranslation();
  const { dateTime, number } = useFormat();
  const done = row.status === 'sent';
  return (
    <SideDrawer width={560} title={row.notification_title} onClose={onClose}>
      <p className="push-body">{row.notification_body}</p>
      {!done && <Loading />}
      <Facts
        rows={[
          [
            t('push_notifications.status'),
            <Chip key="status" tone={TONES[row.status]}>
              {t(`push_notifications.status.${row.status}`)}
            </Chip>,
          ],
          [t('push_notifications.scheduled_at'), dateTime(row.scheduled_at)],
          [t('push_notifications.sent_at'), row.sent_at ? dateTime(row.sent_at) : NONE],
          [t('push_notifications.admin_name'), row.admin_name ?? NONE],
          [t('push_notifications.recipients'), number(row.recipients)],
          [t('push_notifications.accepted'), done ? number(row.accepted) : NONE],
          [t('push_notifications.failed'), done ? number(row.failed) : NONE],
          [t('push_notifications.unregistered'), done ? number(row.unregistered) : NONE],
        ]}
      />
      {row.failure && done && (
        <Alert
          type={row.accepted > 0 ? 'warning' : 'error'}
          showIcon
          title={t('push_notifications.failure', { code: row.failure })}
        />
      )}
      <p className="push-note">{t('push_notifications.locked')}</p>
    </SideDrawer>
  );
}
