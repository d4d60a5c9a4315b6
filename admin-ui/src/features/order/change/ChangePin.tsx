import { Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { FieldRow } from '../../../lib/form/FieldRow';
import { NoOwnPin } from '../../../lib/pin/NoOwnPin';

/** The PIN of somebody who may change orders. The browser does not keep it. */
export function ChangePin({ pin, onChange }: { pin: string; onChange: (pin: string) => void }) {
  const { t } = useTranslation();
  const help = (
    <>
      {t('order.change_pin_help')} <NoOwnPin />
    </>
  );
  return (
    <FieldRow path="pin" label={t('order.change_pin')} help={help} required>
      {(control) => (
        <Input
          {...control}
          type="password"
          inputMode="numeric"
          autoComplete="off"
          data-1p-ignore=""
          maxLength={8}
          value={pin}
          onChange={(event) => onChange(event.target.value.replace(/\D/g, ''))}
        />
      )}
    </FieldRow>
  );
}
