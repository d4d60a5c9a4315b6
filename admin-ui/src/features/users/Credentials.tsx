import { Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { Card } from '../../lib/ui/page';
import { FieldRow } from '../../lib/form/FieldRow';
import { type DraftForm } from '../../lib/form/useDraftForm';
import { useBusy } from '../../lib/form/fieldState';
import type { Draft } from './draft';
import { SwitchRow } from './parts';
import type { Admin } from './types';

interface Props {
  state: DraftForm<Admin, Draft>;
  locked: boolean;
}

/** PIN and password. Both leave the form as soon as they are sent and are never shown. */
export function Credentials(props: Props) {
  const { t } = useTranslation();
  return (
    <Card title={t('users.credentials')}>
      <Pin {...props} />
      <Password {...props} />
    </Card>
  );
}

function Pin({ state, locked }: Props) {
  const { t } = useTranslation();
  const { draft, base, set } = state;
  const off = useBusy() || locked;
  return (
    <>
      <SwitchRow
        name="has_pin"
        label={t('users.has_pin')}
        help={t('users.has_pin_help')}
        checked={draft.has_pin}
        disabled={off}
        onChange={(has_pin) => set(has_pin ? { has_pin } : { has_pin, pin: '' }, 'pin')}
      />
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
    </>
  );
}

function Password({ state, locked }: Props) {
  const { t } = useTranslation();
  const { draft, set, isNew } = state;
  const off = useBusy() || locked;
  const input = (path: 'password' | 'password_again', help?: string) => (
    <FieldRow path={path} label={t(`users.${path}`)} required help={help}>
      {(control) => (
        <Input.Password
          {...control}
          autoComplete="new-password"
          maxLength={128}
          disabled={off}
          value={draft[path]}
          onChange={(event) => set({ [path]: event.target.value })}
        />
      )}
    </FieldRow>
  );
  return (
    <>
      <SwitchRow
        name="with_password"
        label={t(isNew ? 'users.password_now' : 'users.password_new')}
        help={t(isNew ? 'users.password_now_help' : 'users.password_new_help')}
        checked={draft.with_password}
        disabled={off}
        onChange={(with_password) =>
          set(with_password ? { with_password } : { with_password, password: '', password_again: '' })
        }
      />
      {draft.with_password && (
        <div className="field-line">
          {input('password', t('users.password_help'))}
          {input('password_again')}
        </div>
      )}
    </>
  );
}
