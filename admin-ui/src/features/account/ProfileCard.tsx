import { Form, type FormRule, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { InputForm, SubmitRow } from '../../lib/form/InputForm';
import { useInputForm } from '../../lib/form/useInputForm';
import { useTextRules } from '../../lib/form/useTextRules';
import { useFormat } from '../../lib/format';
import { useMe } from '../../lib/me';
import { Card } from '../../lib/ui/page';
import { useNotify } from '../../lib/ui/notify';
import { account } from './api';

interface Profile {
  first_name: string;
  last_name: string;
  tel: string;
}

/** Name and telephone number, in the order of the language. */
export function ProfileCard() {
  const { t } = useTranslation();
  const { max } = useTextRules();
  const { language } = useFormat();
  const notify = useNotify();
  const me = useMe();
  const form = useInputForm<Profile, Profile>({
    initial: { first_name: me.first_name, last_name: me.last_name, tel: me.tel },
    // What a company wrote over the account's own is shown too: sent back, it would become the account's.
    send: async (_values, _key, changed) => {
      const { first_name, last_name, tel } = await account.update(changed);
      notify.saved();
      return { first_name, last_name, tel };
    },
    next: (saved) => saved,
    repeatable: true,
  });
  // Not everybody has both.
  const anyName: FormRule = ({ getFieldValue }) => ({
    validator: async () => {
      if (
        ![getFieldValue('first_name'), getFieldValue('last_name')].some((text) => String(text ?? '').trim())
      )
        throw new Error(t('form.required'));
    },
  });
  const name = (field: 'first_name' | 'last_name', autoComplete: string) => (
    <Form.Item
      key={field}
      name={field}
      label={t(`field.${field}`)}
      validateTrigger="onBlur"
      dependencies={['first_name', 'last_name']}
      rules={[anyName, max(100)]}
    >
      <Input autoComplete={autoComplete} />
    </Form.Item>
  );
  const names = [name('last_name', 'family-name'), name('first_name', 'given-name')];
  return (
    <Card title={t('account.profile')}>
      <InputForm name="profile" state={form}>
        <div className="field-line">{language === 'hu' ? names : names.reverse()}</div>
        <Form.Item
          name="tel"
          label={t('account.tel')}
          validateTrigger="onBlur"
          rules={[{ pattern: /^[0-9+()/ -]*$/, message: t('account.tel_format') }, max(40)]}
        >
          <Input type="tel" autoComplete="tel" />
        </Form.Item>
        <SubmitRow state={form} label={t('action.save')} />
      </InputForm>
    </Card>
  );
}
