import { Button } from '../ui/Button';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useHotkey } from '../hooks';
import { InputForm } from '../form/InputForm';
import { requiredMark } from '../form/requiredMark';
import type { InputForm as State } from '../form/useInputForm';
import { SideDrawer } from '../ui/SideDrawer';
import { Dialog } from '../ui/Dialog';

interface Props<V extends object> {
  action: State<V>;
  title: string;
  /** On the button. */
  verb: string;
  danger?: boolean;
  /** The button waits, for example for a name to be typed. */
  blocked?: boolean;
  onClose: () => void;
  children: ReactNode;
}

function useClosing<V extends object>({ action, onClose }: Props<V>) {
  return () => void action.ask().then((go) => go && onClose());
}

function Buttons<V extends object>(props: Props<V>) {
  const { t } = useTranslation();
  const { action, verb, danger = false, blocked = false } = props;
  return (
    <div className="form-buttons">
      <span className="form-buttons-gap" />
      <Button onClick={useClosing(props)}>{t('action.cancel')}</Button>
      <Button
        type="primary"
        danger={danger}
        loading={action.saving}
        disabled={blocked}
        onClick={() => void action.submit()}
      >
        {verb}
      </Button>
    </div>
  );
}

const Fields = <V extends object>({ action, children }: Pick<Props<V>, 'action' | 'children'>) => (
  <InputForm state={action} requiredMark={requiredMark}>
    {children}
  </InputForm>
);

/** A form that does something, in a drawer. */
export function ActionDrawer<V extends object>(props: Props<V>) {
  useHotkey('ctrl+s', () => void props.action.submit(), !props.blocked);
  return (
    <SideDrawer title={props.title} width={560} onClose={useClosing(props)} footer={<Buttons {...props} />}>
      <Fields {...props} />
    </SideDrawer>
  );
}

/** The same in a dialog, for one or two fields. */
export function ActionDialog<V extends object>(props: Props<V>) {
  return (
    <Dialog title={props.title} onCancel={useClosing(props)} footer={<Buttons {...props} />}>
      <Fields action={props.action}>
        {props.children}
        {/* The visible button stands outside the form: without one inside, Enter sends no form of two fields. */}
        <button type="submit" hidden disabled={props.blocked} />
      </Fields>
    </Dialog>
  );
}
