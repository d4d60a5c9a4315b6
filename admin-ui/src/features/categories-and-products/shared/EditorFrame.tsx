import { DeleteOutlined, WarningOutlined } from '@ant-design/icons';
import { Alert } from 'antd';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useHotkey, useNarrow } from '../../../lib/hooks';
import { Button } from '../../../lib/ui/Button';
import { Chip } from '../../../lib/ui/page';
import { useNotify } from '../../../lib/ui/notify';
import { ProblemAlert } from '../../../lib/ui/states';
import { SideDrawer } from '../../../lib/ui/SideDrawer';
import '../../../lib/crud/form.css';
import { CompareDialog, type Fact } from './CompareDialog';
import { type Editor, EditorContext, focusSoon } from './useEditor';

interface Props<R, D extends object> {
  editor: Editor<R, D>;
  /** Values of a draft for the comparison of two editors' versions. */
  factsOf: (draft: D) => Fact[];
  /** Something can be saved: the fields, or the switches alone. */
  maySave: boolean;
  /** The fields can be changed. */
  mayEdit: boolean;
  /** Names of fields at fault, for the box above the form. */
  faultLabel?: (path: string) => string;
  /** Opens what hides a field and goes to it. */
  reveal?: (path: string) => void;
  onSaved: (row: R) => void;
  /** After "save and new". */
  onAnother?: ((row: R) => void) | undefined;
  /** Deletes; absent without the right. */
  onRemove?: (() => void) | undefined;
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

function useActions<R, D extends object>({ editor, maySave, onSaved, onAnother }: Props<R, D>) {
  const notify = useNotify();
  const save = async (then: (row: R) => void) => {
    await commitTyping();
    const saved = await editor.save();
    if (!saved) return;
    notify.saved();
    then(saved);
  };
  const able = maySave && (editor.dirty || editor.isNew);
  useHotkey('ctrl+s', () => void save(onSaved), able);
  return { able, save: () => void save(onSaved), another: onAnother && (() => void save(onAnother)) };
}

/** Everything of an editor but its buttons: what went wrong, the fields, the comparison after a conflict. */
function EditorBody<R, D extends object>({
  editor,
  factsOf,
  mayEdit,
  faultLabel,
  reveal = focusSoon,
  children,
}: Props<R, D>) {
  const { t } = useTranslation();
  const { faults, saving, unknown } = editor;
  const state = useMemo(
    () => ({ faults, busy: saving || unknown, locked: !mayEdit || saving || unknown }),
    [faults, mayEdit, saving, unknown],
  );
  const paths = Object.keys(faults);
  return (
    <EditorContext.Provider value={state}>
      {unknown && (
        <Alert
          className="edit-alert"
          type="warning"
          showIcon
          role="alert"
          title={t('form.unknown')}
          description={t('form.unknown_text')}
        />
      )}
      {editor.error !== undefined && !unknown && (
        <ProblemAlert error={editor.error} onClose={editor.dismissError} />
      )}
      {faultLabel && paths.length > 1 && (
        <Alert
          className="edit-alert"
          type="error"
          showIcon
          role="alert"
          title={t('catalogue.faults', { count: paths.length })}
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
      <CompareDialog conflict={editor.conflict} factsOf={factsOf} resolve={editor.resolve} />
    </EditorContext.Provider>
  );
}

function Buttons<R, D extends object>({
  props,
  actions,
  onClose,
}: {
  props: Props<R, D>;
  actions: ReturnType<typeof useActions>;
  onClose?: () => void;
}) {
  const { t } = useTranslation();
  const { editor, maySave, onRemove } = props;
  const narrow = useNarrow();
  const { isNew, dirty, saving, unknown } = editor;
  return (
    <div className="form-buttons">
      {onRemove && !isNew && (
        <Button
          type="text"
          danger
          icon={<DeleteOutlined />}
          aria-label={t('action.delete')}
          onClick={onRemove}
        >
          {narrow ? undefined : t('action.delete')}
        </Button>
      )}
      <span className="edit-status" role="status">
        {maySave &&
          !isNew &&
          (dirty ? (
            narrow ? null : (
              <Chip tone="warning" icon={<WarningOutlined aria-hidden />}>
                {t('catalogue.unsaved')}
              </Chip>
            )
          ) : (
            !onClose && !narrow && <span className="cat-soft">{t('catalogue.saved')}</span>
          ))}
      </span>
      <span className="form-buttons-gap" />
      {onClose && <Button onClick={onClose}>{t(maySave ? 'action.cancel' : 'action.close')}</Button>}
      {!onClose && maySave && dirty && (
        <Button disabled={saving || unknown} onClick={editor.discard}>
          {t('unsaved.discard')}
        </Button>
      )}
      {maySave && isNew && actions.another && !unknown && (
        <Button disabled={saving} onClick={actions.another}>
          {t('action.save_and_new')}
        </Button>
      )}
      {maySave && (
        <Button type="primary" loading={saving} disabled={!actions.able} onClick={actions.save}>
          {t(unknown ? 'action.retry' : 'action.save')}
        </Button>
      )}
    </div>
  );
}

/** An editor as a page; its buttons stay in view. */
export function EditorPage<R, D extends object>(props: Props<R, D>) {
  const actions = useActions(props);
  return (
    <div className="edit-page">
      <EditorBody {...props} />
      {props.maySave && (
        <div className="save-bar">
          <Buttons props={props} actions={actions} />
        </div>
      )}
    </div>
  );
}

/** An editor in a drawer over its list. Closing navigates, and the guard asks about what is unsaved. */
export function EditorDrawer<R, D extends object>(
  props: Props<R, D> & { title: ReactNode; onClose: () => void },
) {
  const actions = useActions(props);
  return (
    <SideDrawer
      rootClassName="edit-drawer"
      title={props.title}
      onClose={props.onClose}
      footer={<Buttons props={props} actions={actions} onClose={props.onClose} />}
    >
      <EditorBody {...props} />
    </SideDrawer>
  );
}
