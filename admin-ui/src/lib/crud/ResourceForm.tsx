import { DeleteOutlined, EllipsisOutlined } from '@ant-design/icons';
import { Form } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCanDo } from '../access';
import { Field, type FieldProps } from '../fields/Field';
import { type Fields, isEmpty, writable } from '../fields/kinds';
import { FirstField } from '../form/FirstField';
import { FormAlert } from '../form/FormAlert';
import { requiredMark } from '../form/requiredMark';
import { useHotkey } from '../hooks';
import { isMissing } from '../http';
import { Button } from '../ui/Button';
import { useNotify } from '../ui/notify';
import { ErrorState, Loading } from '../ui/states';
import { HistoryButton } from './History';
import { FieldsConflict } from './FieldsConflict';
import type { ResourceForm as FormState, Row } from './useResourceForm';
import { SideDrawer } from '../ui/SideDrawer';
import { DropMenu } from '../ui/DropMenu';
import './form.css';

/** Titled fields; with `fold` they can be folded, and are at first when it says so. */
interface Group {
  title: string;
  fields: Layout;
  lead?: ReactNode;
  fold?: 'open' | 'closed';
  /** Above the fields: another way to fill them. */
  extra?: ReactNode;
}

/** Fields in their order; a list inside the list stands in one line; an object is a titled group. */
export type Layout = readonly (string | readonly string[] | Group)[];

export interface FormBodyProps {
  state: FormState;
  resource: string;
  fields: Fields;
  /** All writable fields one below the other unless given. */
  layout?: Layout | undefined;
  /** Replaces or adds properties of single fields. */
  overrides?: Partial<Record<string, Partial<FieldProps>>> | undefined;
  /** Below the fields: something of the screen's own. */
  children?: ReactNode;
  disabled?: boolean;
}

/** The fields of a form with its problem box; no buttons. */
export function FormBody({ state, resource, fields, layout, overrides, children, disabled }: FormBodyProps) {
  const { t } = useTranslation();
  if (state.loadError) return <ErrorState error={state.loadError} onRetry={state.reload} />;
  if (state.loading) return <Loading />;
  const field = (name: string) => {
    const info = fields[name];
    if (!info) throw new Error(`${resource} has no field ${name}`);
    const lacking = state.row !== undefined && isEmpty(state.row[name]);
    return (
      <Field
        key={name}
        name={name}
        info={info}
        resource={resource}
        lacking={lacking}
        {...overrides?.[name]}
      />
    );
  };
  const render = (items: Layout): ReactNode =>
    items.map((item) => {
      if (typeof item === 'string') return field(item);
      if (Array.isArray(item))
        return (
          <div className="field-line" key={item.join()}>
            {item.map(field)}
          </div>
        );
      const group = item as Group;
      if (group.fold) {
        return (
          <FoldedGroup key={group.title} title={t(group.title)} open={group.fold === 'open'}>
            {group.lead && <p className="field-lead">{group.lead}</p>}
            {render(group.fields)}
          </FoldedGroup>
        );
      }
      return (
        <fieldset className="field-group" key={group.title}>
          <legend>{t(group.title)}</legend>
          {group.lead && <p className="field-lead">{group.lead}</p>}
          {group.extra}
          {render(group.fields)}
        </fieldset>
      );
    });
  return (
    <Form
      form={state.form}
      layout="vertical"
      requiredMark={requiredMark}
      disabled={state.saving || state.unknown || (disabled ?? false)}
      onValuesChange={state.changed}
      scrollToFirstError
    >
      <FirstField onPage={state.isNew} />
      <FormAlert state={state} />
      {render(layout ?? writable(fields).map(([name]) => name))}
      {children}
      <FieldsConflict conflict={state.conflict} fields={fields} resource={resource} resolve={state.resolve} />
    </Form>
  );
}

/**
 * A group that can be folded. Its fields stay in the form; `focusField` opens it for one that was refused.
 */
function FoldedGroup({ title, open, children }: { title: string; open: boolean; children: ReactNode }) {
  const [first] = useState(open);
  return (
    <details className="field-group field-fold" open={first}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

/** How a row is removed: what is asked before, or a way of its own that asks, removes and says so. */
export type Removal =
  | { verb: string; title: string; effect: string; run?: undefined }
  | { verb: string; run: () => Promise<boolean> };

interface FrameProps extends FormBodyProps {
  title: ReactNode;
  /** Closes without asking; the frame asks. */
  onClose: () => void;
  /** After a creation with "save and new". */
  onAnother?: (() => void) | undefined;
  onRemoved?: ((row: Row | undefined) => void) | undefined;
  /** Name of the row in the question before deleting. */
  name?: string | undefined;
  /** How the row is removed, where "delete" would not say what happens. */
  removal?: Removal | undefined;
  extra?: ReactNode;
  /** A button for the row's history, in this restaurant's log or the company's. */
  history?: 'restaurant' | 'company' | undefined;
  /** Pixels; default 560, the whole width on phones. */
  width?: number;
}

function useFormActions({ state, resource, onClose, onAnother, onRemoved, name, removal }: FrameProps) {
  const { t } = useTranslation();
  const canDo = useCanDo();
  const notify = useNotify();
  const maySave = state.loadError === undefined && canDo(resource, state.isNew ? 'create' : 'update');
  const mayRemove = !state.isNew && state.row && canDo(resource, 'delete');
  const saveAndClose = async () => {
    if (await state.save()) {
      notify.saved();
      onClose();
    }
  };
  const saveAndNew = async () => {
    if (await state.save()) {
      notify.saved();
      state.reset();
      onAnother?.();
    }
  };
  const remove = async () => {
    if (removal?.run) {
      if (await removal.run()) onClose();
      return;
    }
    const sure = await notify.confirm(
      removal ?? {
        title: t('confirm.delete', { name: name ?? '' }),
        effect: t('confirm.delete_effect'),
        verb: t('action.delete'),
      },
    );
    if (sure && (await state.remove())) {
      onRemoved?.(state.row);
      onClose();
    }
  };
  const close = async () => {
    if (await state.ask()) onClose();
  };
  useHotkey('ctrl+s', () => void saveAndClose(), maySave);
  return { maySave, mayRemove, saveAndClose, saveAndNew, remove, close };
}

function Buttons({ props, actions }: { props: FrameProps; actions: ReturnType<typeof useFormActions> }) {
  const { t } = useTranslation();
  const { state, onAnother } = props;
  return (
    <div className="form-buttons">
      {actions.mayRemove && (
        <DropMenu
          menu={{
            items: [
              {
                key: 'delete',
                danger: true,
                icon: <DeleteOutlined />,
                label: props.removal?.verb ?? t('action.delete'),
              },
            ],
            onClick: () => void actions.remove(),
          }}
        >
          <Button type="text" icon={<EllipsisOutlined />} aria-label={t('action.more')} />
        </DropMenu>
      )}
      <span className="form-buttons-gap" />
      <Button onClick={() => void actions.close()}>{t('action.cancel')}</Button>
      {actions.maySave && state.isNew && onAnother && !state.unknown && (
        <Button disabled={state.saving} onClick={() => void actions.saveAndNew()}>
          {t('action.save_and_new')}
        </Button>
      )}
      {actions.maySave && (
        <Button
          type="primary"
          loading={state.saving}
          disabled={!state.dirty && !state.isNew}
          onClick={() => void actions.saveAndClose()}
        >
          {t(state.unknown ? 'action.retry' : 'action.save')}
        </Button>
      )}
    </div>
  );
}

/** A form in a drawer over its list. Esc and the mask ask before unsaved changes are lost. */
export function FormDrawer(props: FrameProps) {
  const { t } = useTranslation();
  const actions = useFormActions(props);
  return (
    <SideDrawer
      title={isMissing(props.state.loadError) ? t('state.missing') : props.title}
      width={props.width ?? 560}
      onClose={() => void actions.close()}
      extra={
        <>
          {props.extra}
          {props.history && props.state.row?.id && (
            <HistoryButton
              recordId={props.state.row.id}
              name={props.name ?? ''}
              company={props.history === 'company'}
            />
          )}
        </>
      }
      footer={<Buttons props={props} actions={actions} />}
    >
      <FormBody {...props} disabled={!actions.maySave} />
    </SideDrawer>
  );
}
