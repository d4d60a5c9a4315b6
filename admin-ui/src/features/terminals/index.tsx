import { AutoComplete, Form } from 'antd';
import { useTranslation } from 'react-i18next';
import { terminalsList } from '../../generated/client/restaurants/restaurants';
import { useCan } from '../../lib/access';
import { useRead } from '../../lib/query';
import { here } from '../../lib/target';
import { fields } from '../../generated/fields/terminal_schemes.gen';
import { ResourcePage, type Row } from '../../lib/crud';
import { Chip } from '../../lib/ui/page';
import { SettingsHistoryButton } from '../audit/SettingsHistoryButton';
import { Company } from './Company';
import './terminals.css';

/** Which terminal each till and kiosk uses, and the company that the terminals belong to. */
export default function Terminals() {
  const { t } = useTranslation();
  const may = useCan()('payment_method');
  const initiator = (row: Row) =>
    [row.admin_name, row.restaurant_kiosk_name].filter(Boolean).join(', ') || t('terminal_schemes.gone');
  // Shown at both fields, because a change of either resolves it.
  const either = {
    dependencies: ['admin_id', 'restaurant_kiosk_id'],
    rules: [
      ({ getFieldsValue }: { getFieldsValue: (names: string[]) => Record<string, unknown> }) => ({
        validator: async () => {
          const { admin_id, restaurant_kiosk_id } = getFieldsValue(['admin_id', 'restaurant_kiosk_id']);
          if (!admin_id && !restaurant_kiosk_id) throw new Error(t('terminal_schemes.select_admin_or_kiosk'));
        },
      }),
    ],
  };
  return (
    <>
      <ResourcePage
        resource="terminal_schemes"
        fields={fields}
        lead={t('terminal_schemes.lead')}
        // The audit log has the changes of the connection.
        actions={may && <SettingsHistoryButton group="payment_methods" />}
        columns={[
          { key: 'initiator', title: t('terminal_schemes.initiator'), render: initiator },
          {
            key: 'terminal_id',
            title: t('terminal_schemes.terminal_id'),
            render: (row) =>
              row.terminal_name ? (
                String(row.terminal_name)
              ) : (
                <span className="terminal-unknown">
                  <code>{String(row.terminal_id)}</code>
                  {row.terminal_type === 'teya' && (
                    <Chip tone="warning">{t('terminal_schemes.unknown')}</Chip>
                  )}
                </span>
              ),
          },
          'terminal_type',
        ]}
        form={['admin_id', 'restaurant_kiosk_id', 'terminal_type', 'terminal_id']}
        initial={{ terminal_type: 'ospi' }}
        nameOf={initiator}
        overrides={
          {
            admin_id: either,
            restaurant_kiosk_id: either,
            terminal_id: { input: <TerminalInput /> },
          } as never
        }
      />
      <div className="terminal-company">
        <Company />
      </div>
    </>
  );
}

/**
 * A terminal that is known, or any other's number: one in the restaurant's network is known to nobody else.
 */
function TerminalInput(control: { value?: string; onChange?: (value: string) => void; id?: string }) {
  const type: unknown = Form.useWatch('terminal_type');
  const { data } = useRead('terminalsList', ({ signal }) => terminalsList(...here(), { signal }));
  const known = (data ?? []).filter((one) => one.terminal_type === type);
  return (
    <AutoComplete
      {...control}
      maxLength={100}
      showSearch={{ filterOption: false }}
      options={known.map((one) => ({
        value: one.terminal_id,
        label: (
          <span className="terminal-option">
            <b>{one.name}</b>
            <small>{one.device_id ?? one.terminal_id}</small>
          </span>
        ),
      }))}
    />
  );
}
