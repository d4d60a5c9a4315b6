import { Drawer, type DrawerProps } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNarrow } from '../hooks';
import { Attached } from './Attached';
import { useReturnFocus } from './focus';
import '../crud/form.css';

interface Props extends Omit<DrawerProps, 'open' | 'size' | 'title'> {
  title: ReactNode;
  /** Pixels; the whole width on phones. */
  width?: number;
}

/** A drawer over the page, open as long as it is mounted. */
export function SideDrawer({ title, width = 640, children, footer, ...rest }: Props) {
  const { t } = useTranslation();
  const narrow = useNarrow();
  useReturnFocus();
  return (
    <Drawer
      open
      // Another drawer over this one, a history, moves nothing.
      push={false}
      title={<h2 className="drawer-title">{title}</h2>}
      size={narrow ? '100%' : width}
      closable={{ 'aria-label': t('action.close'), placement: 'end' }}
      footer={footer && <Attached>{footer}</Attached>}
      {...rest}
    >
      <Attached>{children}</Attached>
    </Drawer>
  );
}
