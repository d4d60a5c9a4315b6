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

/** The password. It leaves the form as soon as it is sent and is never shown. */
export function Credentials(props: Props) {
  const { t } = useTranslation();
  return (
    <Card title={t('users.password')}>
      <Password {...props} />
    </Card>
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
