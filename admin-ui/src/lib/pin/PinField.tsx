import { Alert, Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { usePageUrl } from '../navigation';
import './pin.css';

/** The field of a PIN, which the browser does not keep, and the way to one's own for who has none. */
export function PinField({ none }: { none: boolean }) {
  const { t } = useTranslation();
  const url = usePageUrl();
  return (
    <>
      {none && <Alert className="page-alert" type="warning" showIcon role="alert" title={t('pin.not_set')} />}
      <Form.Item
        name="pin"
        label={t('pin.label')}
        rules={[{ required: true, message: t('form.required') }]}
        validateTrigger="onSubmit"
        normalize={(text: string) => text.replace(/\D/g, '')}
        extra={
          <>
            {t('pin.none')} {/* In a tab of its own: what is open here stays as it is. */}
            <Link className="pin-link" to={url('my_account')} target="_blank">
              {t('pin.set')}
            </Link>
          </>
        }
      >
        <Input type="password" inputMode="numeric" autoComplete="off" data-1p-ignore="" maxLength={8} />
      </Form.Item>
    </>
  );
}
