import { Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { ActionDialog } from '../../lib/crud/ActionDrawer';
import { useInputForm } from '../../lib/form/useInputForm';
import { useTextRules } from '../../lib/form/useTextRules';
import { useNotify } from '../../lib/ui/notify';
import type { Saved } from './saved';

interface Props {
  title: string;
  verb: string;
  name?: string;
  send: (name: string, key: string) => Promise<Saved>;
  onClose: () => void;
}

/** Asks for the name of a filter. */
export function NameDialog({ title, verb, name = '', send, onClose }: Props) {
  const { t } = useTranslation();
  const notify = useNotify();
  const { filled } = useTextRules();
  const action = useInputForm<{ name: string }>({
    initial: { name },
    guard: false,
    send: (values, key) => send(values.name.trim(), key),
    onDone: () => {
      notify.saved();
      onClose();
    },
  });
  return (
    <ActionDialog action={action} title={title} verb={verb} onClose={onClose}>
      <Form.Item name="name" label={t('previous.saved_name')} rules={[filled]} validateTrigger="onSubmit">
        <Input maxLength={60} autoComplete="off" />
      </Form.Item>
    </ActionDialog>
  );
}
