import { Modal, type ModalProps } from 'antd';
import { useTranslation } from 'react-i18next';
import { Attached } from './Attached';
import { useReturnFocus } from './focus';

/** A dialog, open as long as it is mounted. */
export function Dialog({ children, footer, ...rest }: Omit<ModalProps, 'open'>) {
  const { t } = useTranslation();
  useReturnFocus();
  // The usual buttons, and those that a function makes of them, ask for no focus.
  const own =
    footer !== undefined && footer !== null && typeof footer !== 'function' ? (
      <Attached>{footer}</Attached>
    ) : (
      footer
    );
  return (
    <Modal
      open
      closable={{ 'aria-label': t('action.close') }}
      {...(own === undefined ? {} : { footer: own })}
      {...rest}
    >
      <Attached>{children}</Attached>
    </Modal>
  );
}
