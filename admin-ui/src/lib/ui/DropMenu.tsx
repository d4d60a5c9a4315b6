import { Dropdown, type DropdownProps } from 'antd';
import { useRef } from 'react';

/**
 * A menu below a button. When it closes, by Escape or by a choice, the button has the focus again: antd closes the menu
 * before its own way back is heard.
 */
export function DropMenu({ onOpenChange, ...rest }: DropdownProps) {
  const opener = useRef<HTMLElement>(null);
  return (
    <Dropdown
      trigger={['click']}
      {...rest}
      onOpenChange={(open, info) => {
        onOpenChange?.(open, info);
        const now = document.activeElement;
        if (open) opener.current = now instanceof HTMLElement && now !== document.body ? now : null;
        else requestAnimationFrame(() => {
          const lost = document.activeElement === null || document.activeElement === document.body || document.activeElement.closest('.ant-dropdown') !== null;
          if (lost && opener.current?.isConnected) opener.current.focus({ preventScroll: true });
        });
      }}
    />
  );
}
