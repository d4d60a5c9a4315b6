import { App } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../problem';
import { Button } from './Button';
import { refocus } from './focus';
import { RequestId } from './states';

const UNDO_S = 8;
const TOAST_S = 5;

/**
 * Toasts and questions: `notify.saved()`, `notify.problem(error)`, `notify.undo(text, counterCall)`,
 * `await notify.confirm({...})`.
 */
export function useNotify() {
  const { notification, modal } = App.useApp();
  const { t } = useTranslation();
  return useMemo(() => {
    const problem = (error: unknown) => {
      const { text, requestId } = explain(error);
      notification.error({
        title: text,
        description: requestId ? <RequestId id={requestId} /> : undefined,
        duration: 0,
        role: 'alert',
      });
    };
    return {
      success: (title: string, description?: string) =>
        notification.success({ title, description, duration: TOAST_S, role: 'status' }),
      info: (title: string, description?: string) =>
        notification.info({ title, description, duration: TOAST_S, role: 'status' }),
      saved: () => notification.success({ title: t('state.saved'), duration: TOAST_S, role: 'status' }),
      /** A failure outside a form; stays until dismissed. */
      problem,
      /**
       * Something was done that can be taken back, by a real call, for 8 s; what is given back ends that
       * earlier.
       */
      undo: (title: string, back: () => Promise<unknown>): (() => void) => {
        const key = `undo-${Date.now()}`;
        const run = () => {
          notification.destroy(key);
          back().then(
            () => notification.info({ title: t('state.undone'), duration: TOAST_S, role: 'status' }),
            problem,
          );
        };
        notification.success({
          key,
          title,
          duration: UNDO_S,
          role: 'status',
          actions: <Button onClick={run}>{t('action.undo')}</Button>,
        });
        return () => notification.destroy(key);
      },
      /**
       * Asks before something that cannot be taken back. `effect` says what will happen; the verb stands on
       * the button.
       */
      confirm: ({
        title,
        effect,
        verb,
        danger = true,
      }: {
        title: string;
        effect?: React.ReactNode;
        verb: string;
        danger?: boolean;
      }) =>
        new Promise<boolean>((resolve) => {
          modal.confirm({
            title,
            content: effect,
            okText: verb,
            cancelText: t('action.cancel'),
            okButtonProps: { danger },
            focusable: { autoFocusButton: 'cancel' },
            onOk: () => resolve(true),
            onCancel: () => resolve(false),
            // What asked may be gone with the answer.
            afterClose: () =>
              requestAnimationFrame(() => document.activeElement === document.body && refocus()),
          });
        }),
    };
  }, [notification, modal, t]);
}
