import { Alert, Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { usePageUrl } from '../navigation';
import { useOwn } from './own';
import './pin.css';

const PIN = /^\d{4,8}$/;

/** The field of a PIN, which the browser does not keep; for who has none the fields that set one. */
export function PinField({ none }: { none: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      {none && <Alert className="page-alert" type="info" showIcon role="alert" title={t('pin.not_set')} />}
      <Form.Item
        name="pin"
        label={t(none ? 'pin.new' : 'pin.label')}
        rules={[
          { required: true, message: t('form.required') },
          ...(none ? [{ pattern: PIN, message: t('pin.format') }] : []),
        ]}
        validateTrigger="onSubmit"
        normalize={(text: string) => text.replace(/\D/g, '')}
        extra={none ? t('pin.format') : <GivenPin />}
      >
        <Input type="password" inputMode="numeric" autoComplete="off" data-1p-ignore="" maxLength={8} />
      </Form.Item>
      {none && (
        <Form.Item
          name="password"
          label={t('pin.password')}
          validateTrigger="onSubmit"
          rules={[{ required: true, message: t('form.required') }]}
        >
          <Input.Password autoComplete="current-password" maxLength={128} />
        </Form.Item>
      )}
    </>
  );
}

/** Asks whoever got the PIN from somebody else to change it. */
function GivenPin() {
  const { t } = useTranslation();
  const url = usePageUrl();
  if (!useOwn()?.pin_given) return null;
  return (
    <>
      {t('pin.given')} {/* In a tab of its own: what is open here stays as it is. */}
      <Link className="pin-link" to={`${url('my_account')}#pin`} target="_blank">
        {t('pin.change')}
      </Link>
    </>
  );
}
