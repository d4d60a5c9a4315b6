import { DeleteOutlined } from '@ant-design/icons';
import { Alert } from 'antd';
import { Button } from '../ui/Button';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useHotkey, useNarrow } from '../hooks';
import { useNotify } from '../ui/notify';
import { SideDrawer } from '../ui/SideDrawer';
import { ChangedMeanwhile, type WhoChanged } from './ChangedMeanwhile';
import { DraftConflict, type Fact } from './DraftConflict';
import { FieldStateContext, focusSoon } from './fieldState';
import { FirstField } from './FirstField';
import { FormAlert } from './FormAlert';
import { SaveBar, UnsavedStatus } from './SaveBar';
import type { DraftForm } from './useDraftForm';
import './draft.css';

interface Props<R, D extends object> {
  form: DraftForm<R, D>;
  /** Values of a draft for the comparison of two versions. */
  factsOf: (draft: D) => Fact[];
  /** Something can be saved: the fields, or the switches alone. */
  maySave: boolean;
  /** The fields can be changed. */
  mayEdit: boolean;
  /** Names of fields at fault, for the box above the form. */
  faultLabel?: (path: string) => string;
  /** Opens what hides a field and goes to it. */
  reveal?: (path: string) => void;
  /** Who saved a row last, for an editor that is open meanwhile. */
  whoChanged?: WhoChanged;
  onSaved: (row: R) => void;
  /** After "save and new". */
  onAnother?: ((row: R) => void) | undefined;
  /** Deletes; absent without the right. */
  onRemove?: (() => void) | undefined;
  /** What its button says, where "delete" would not say what happens. */
  removeLabel?: string;
  children: ReactNode;
}

/**
 * Dates and amounts are taken over when their field is left: a shortcut saves while the cursor is still in
 * one.
 */
async function commitTyping(): Promise<void> {
  const field = document.activeElement;
  if (!(field instanceof HTMLInputElement)) return;
  field.blur();
  await new Promise((resolve) => setTimeout(resolve));
  field.focus({ preventScroll: true });
}

function useActions<R, D extends object>({ form, maySave, onSaved, onAnother }: Props<R, D>) {
  const notify = useNotify();
  const save = async (then: (row: R) => void) => {
    await commitTyping();
    const saved = await form.save();
    if (!saved) return;
    notify.saved();
    then(saved);
  };
  const canSave = maySave && (form.dirty || form.isNew);
  useHotkey('ctrl+s', () => void save(onSaved), canSave);
  return { canSave, save: () => void save(onSaved), another: onAnother && (() => void save(onAnother)) };
}

/** Everything but the buttons: what went wrong, the fields, the comparison after a conflict. */
function Body<R, D extends object>({
  form,
  factsOf,
  mayEdit,
  faultLabel,
  reveal = focusSoon,
  whoChanged,
  children,
}: Props<R, D>) {
  const { t } = useTranslation();
  const { faults, saving, unknown } = form;
  const state = useMemo(
    () => ({ faults, busy: saving || unknown, locked: !mayEdit || saving || unknown }),
    [faults, mayEdit, saving, unknown],
  );
  const paths = Object.keys(faults);
  return (
    <FieldStateContext.Provider value={state}>
      <FirstField onPage={form.isNew} />
      <FormAlert state={form} />
      {whoChanged && <ChangedMeanwhile form={form} whoChanged={whoChanged} />}
      {faultLabel && paths.length > 1 && (
        <Alert
          className="page-alert"
          type="error"
          showIcon
          role="alert"
          title={t('form.faults', { count: paths.length })}
          description={
            <ul className="edit-faults">
              {paths.map((path) => (
                <li key={path}>
                  <Button type="link" size="small" onClick={() => reveal(path)}>
                    {faultLabel(path)}
                  </Button>
                </li>
              ))}
            </ul>
          }
        />
      )}
      {children}
      <DraftConflict conflict={form.conflict} factsOf={factsOf} resolve={form.resolve} />
    </FieldStateContext.Provider>
  );
}

/** Deletes the row that is edited; without `onRemove`, or for a new row, nothing. */
function RemoveButton<R, D extends object>({ form, onRemove, removeLabel }: Props<R, D>) {
  const { t } = useTranslation();
  const narrow = useNarrow();
  if (!onRemove || form.isNew) return null;
  const label = removeLabel ?? t('action.delete');
  return (
    <Button type="text" danger icon={<DeleteOutlined />} aria-label={label} onClick={onRemove}>
      {narrow ? undefined : label}
    </Button>
  );
}

function SaveButtons<R, D extends object>({
  form: { isNew, saving, unknown },
  actions,
}: {
  form: DraftForm<R, D>;
  actions: ReturnType<typeof useActions>;
}) {
  const { t } = useTranslation();
  return (
    <>
      {isNew && actions.another && !unknown && (
        <Button disabled={saving} onClick={actions.another}>
          {t('action.save_and_new')}
        </Button>
      )}
      <Button type="primary" loading={saving} disabled={!actions.canSave} onClick={actions.save}>
        {t(unknown ? 'action.retry' : 'action.save')}
      </Button>
    </>
  );
}

/** The form of a draft as a page; its buttons stay in view while something can be saved. */
export function DraftPage<R, D extends object>(props: Props<R, D>) {
  const { t } = useTranslation();
  const { form, maySave, onRemove } = props;
  const actions = useActions(props);
  const dirty = maySave && form.dirty;
  return (
    <div className="edit-page">
      <Body {...props} />
      {onRemove && !form.isNew && (
        <div>
          <RemoveButton {...props} />
        </div>
      )}
      <SaveBar shown={actions.canSave || form.saving} dirty={dirty && !form.isNew}>
        {dirty && (
          <Button disabled={form.saving || form.unknown} onClick={form.discard}>
            {t('unsaved.discard')}
          </Button>
        )}
        <SaveButtons form={form} actions={actions} />
      </SaveBar>
    </div>
  );
}

/** The same in a drawer over its list. Closing navigates, and the guard asks about what is unsaved. */
export function DraftDrawer<R, D extends object>(
  props: Props<R, D> & {
    title: ReactNode;
    /** Pixels; the whole width on phones. */
    width?: number;
    /** Beside the title. */
    extra?: ReactNode;
    onClose: () => void;
  },
) {
  const { t } = useTranslation();
  const { form, maySave, title, width, extra, onClose } = props;
  const actions = useActions(props);
  return (
    <SideDrawer
      rootClassName="edit-drawer"
      title={title}
      {...(width === undefined ? {} : { width })}
      extra={extra}
      onClose={onClose}
      footer={
        <div className="form-buttons">
          <RemoveButton {...props} />
          <UnsavedStatus dirty={maySave && !form.isNew && form.dirty} />
          <span className="form-buttons-gap" />
          <Button onClick={onClose}>{t(maySave ? 'action.cancel' : 'action.close')}</Button>
          {maySave && <SaveButtons form={form} actions={actions} />}
        </div>
      }
    >
      <Body {...props} />
    </SideDrawer>
  );
}
