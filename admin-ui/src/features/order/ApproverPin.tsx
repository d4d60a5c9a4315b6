import { Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../lib/http';
import { NoOwnPin } from '../../lib/pin/NoOwnPin';

const PIN = /^\d{4,8}$/;

/** The PIN of somebody who may cancel orders. The browser does not keep it. */
export function ApproverPin() {
  const { t } = useTranslation();
  return (
    <Form.Item
      name="pin"
      label={t('order.pin')}
      extra={
        <>
          {t('order.pin_help')} <NoOwnPin />
        </>
      }
      required
      validateTrigger="onSubmit"
      normalize={(text: string) => text.replace(/\D/g, '')}
      rules={[{ required: true, pattern: PIN, message: t('order.pin_missing') }]}
    >
      <Input type="password" inputMode="numeric" autoComplete="off" data-1p-ignore="" maxLength={8} />
    </Form.Item>
  );
}

/**
 * Runs a call that somebody else allows. A refused PIN stands at its field, which is emptied.
 * @throws ApiError as the call does.
 */
export async function withPin<A>(call: () => Promise<A>, forget: () => void): Promise<A> {
  try {
    return await call();
  } catch (failure) {
    if (!(failure instanceof ApiError) || !['PIN_INVALID', 'PIN_REQUIRED'].includes(failure.code))
      throw failure;
    forget();
    const wrong = failure.code === 'PIN_INVALID' && { faults: [{ key: 'pin', fault: 'pin_of_other' }] };
    throw new ApiError({ ...failure.problem, keys: ['pin'], ...wrong }, failure.retryAfter);
  }
}
