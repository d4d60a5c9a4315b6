import { useTranslation } from 'react-i18next';

const KEYS = [
  ['Alt P', 'phone_orders.key_phone'],
  ['Alt A', 'phone_orders.key_address'],
  ['Alt M', 'phone_orders.key_menu'],
  ['Shift Enter', 'phone_orders.key_options'],
  ['Alt C', 'phone_orders.key_cart'],
  ['Alt T', 'phone_orders.key_time'],
  ['Alt B', 'phone_orders.key_payment'],
  ['Ctrl Enter', 'phone_orders.key_send'],
] as const;

/** The keys of the screen, where there is a keyboard. */
export function Shortcuts() {
  const { t } = useTranslation();
  return (
    <ul className="phone-keys" aria-label={t('shell.shortcuts')}>
      {KEYS.map(([keys, text]) => (
        <li key={keys}>
          <kbd>{keys}</kbd> {t(text)}
        </li>
      ))}
    </ul>
  );
}
