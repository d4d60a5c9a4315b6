import { WarningOutlined } from '@ant-design/icons';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNarrow } from '../hooks';
import { refocus } from '../ui/focus';
import { Chip } from '../ui/page';
import '../crud/form.css';
import './draft.css';

/** Tells, also screen readers, that something is not saved. It must be mounted before that is so. */
export function UnsavedStatus({ dirty }: { dirty: boolean }) {
  const { t } = useTranslation();
  const narrow = useNarrow();
  return (
    <span className="edit-status" role="status">
      {dirty &&
        (narrow ? (
          <span className="sr-only">{t('form.unsaved')}</span>
        ) : (
          <Chip tone="warning" icon={<WarningOutlined aria-hidden />}>
            {t('form.unsaved')}
          </Chip>
        ))}
    </span>
  );
}

interface Props {
  /** Something can be saved, or is being saved. */
  shown: boolean;
  dirty: boolean;
  /** Buttons. */
  children: ReactNode;
}

/** The bar with the buttons of a form on a page. It stays in view, and is there while something can be saved. */
export function SaveBar({ shown, dirty, children }: Props) {
  const was = useRef(shown);
  useEffect(() => {
    // The pressed button is gone with the bar.
    if (was.current && !shown && document.activeElement === document.body) refocus();
    // The bar must not lie over the field that somebody has just changed.
    if (!was.current && shown)
      document.activeElement?.closest('.ant-form-item, .edit-field')?.scrollIntoView({ block: 'nearest' });
    was.current = shown;
  }, [shown]);
  return (
    <div className={shown ? 'save-bar form-buttons' : undefined}>
      <UnsavedStatus dirty={dirty} />
      {shown && (
        <>
          <span className="form-buttons-gap" />
          {children}
        </>
      )}
    </div>
  );
}
