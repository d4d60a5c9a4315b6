import { Input, Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import { Card } from '../../lib/ui/page';
import { FieldRow } from '../../lib/form/FieldRow';
import { type DraftForm } from '../../lib/form/useDraftForm';
import { useBusy } from '../../lib/form/fieldState';
import type { Draft } from './draft';
import type { Admin } from './types';

/** PIN and password. Both leave the form as soon as they are sent and are never shown. */
export function Credentials({ state, locked }: { state: DraftForm<Admin, Draft>; locked: boolean }) {
  const { t } = useTranslation();
  const { draft, base, set, isNew } = state;
  const busy = useBusy();
  const off = locked || busy;
  return (
    <Card title={t('users.credentials')}>
      <div className="edit-switch">
        <label className="target">
          <Switch
            id="field-has_pin"
            checked={draft.has_pin}
            disabled={off}
            onChange={(has_pin) => set(has_pin ? { has_pin } : { has_pin, pin: '' }, 'pin')}
            aria-describedby="field-has_pin-help"
          />
        </label>
        <div>
          <label htmlFor="field-has_pin">{t('users.has_pin')}</label>
          <p className="edit-help" id="field-has_pin-help">
            {t('users.has_pin_help')}
          </p>
        </div>
      </div>
      {draft.has_pin && (
        <FieldRow
          path="pin"
          label={t(base.has_pin ? 'users.pin_new' : 'users.pin')}
          required={!base.has_pin}
          help={t(base.has_pin ? 'users.pin_keep' : 'users.pin_help')}
        >
          {(control) => (
            <Input.Password
              {...control}
              className="users-short"
              inputMode="numeric"
              autoComplete="off"
              maxLength={8}
              disabled={off}
              value={draft.pin}
              onChange={(event) => set({ pin: event.target.value.replace(/\D/g, '') })}
            />
          )}
        </FieldRow>
      )}
      <div className="edit-switch">
        <label className="target">
          <Switch
            id="field-with_password"
            checked={draft.with_password}
            disabled={off}
            onChange={(with_password) =>
              set(with_password ? { with_password } : { with_password, password: '', password_again: '' })
            }
            aria-describedby="field-with_password-help"
          />
        </label>
        <div>
          <label htmlFor="field-with_password">
            {t(isNew ? 'users.password_now' : 'users.password_new')}
          </label>
          <p className="edit-help" id="field-with_password-help">
            {t(isNew ? 'users.password_now_help' : 'users.password_new_help')}
          </p>
        </div>
      </div>
      {draft.with_password && (
        <div className="field-line">
          <FieldRow path="password" label={t('users.password')} required help={t('users.password_help')}>
            {(control) => (
              <Input.Password
                {...control}
                autoComplete="new-password"
                maxLength={128}
                disabled={off}
                value={draft.password}
                onChange={(event) => set({ password: event.target.value })}
              />
            )}
          </FieldRow>
          <FieldRow path="password_again" label={t('users.password_again')} required>
            {(control) => (
              <Input.Password
                {...control}
                autoComplete="new-password"
                maxLength={128}
                disabled={off}
                value={draft.password_again}
                onChange={(event) => set({ password_again: event.target.value })}
              />
            )}
          </FieldRow>
        </div>
      )}
    </Card>
  );
}
