import { Dropdown, type DropdownProps, type MenuProps } from 'antd';
import { cloneElement, isValidElement, type KeyboardEvent, useRef } from 'react';

/**
 * Enter chooses once: what opens by it and takes the focus is not pressed by the same key, and a link is
 * followed.
 */
const takesEnter = (event: KeyboardEvent) => {
  if (event.key !== 'Enter') return;
  event.preventDefault();
  (event.target as Element).querySelector<HTMLElement>('a[href]')?.click();
};

/** Icons are decoration: an icon of antd is labelled with an English word, which would become part of the name. */
const decorated = (items: MenuProps['items']): NonNullable<MenuProps['items']> =>
  (items ?? []).map((item) =>
    item && 'icon' in item && isValidElement<{ 'aria-hidden'?: boolean }>(item.icon)
      ? { ...item, icon: cloneElement(item.icon, { 'aria-hidden': true }) }
      : item,
  );

/**
 * A menu below a button; its first entry has the focus, so that arrows walk on from there. When it closes, by
 * Escape or by a choice, the button has the focus again: antd closes the menu before its own way back is
 * heard.
 */
export function DropMenu({ onOpenChange, menu, ...rest }: DropdownProps) {
  const opener = useRef<HTMLElement>(null);
  return (
    <Dropdown
      trigger={['click']}
      autoFocus
      {...rest}
      {...(menu ? { menu: { ...menu, items: decorated(menu.items), onKeyDown: takesEnter } } : {})}
      onOpenChange={(open, info) => {
        onOpenChange?.(open, info);
        const now = document.activeElement;
        if (open) opener.current = now instanceof HTMLElement && now !== document.body ? now : null;
        else
          requestAnimationFrame(() => {
            const lost =
              document.activeElement === null ||
              document.activeElement === document.body ||
              document.activeElement.closest('.ant-dropdown') !== null;
            if (lost && opener.current?.isConnected) opener.current.focus({ preventScroll: true });
          });
      }}
    />
  );
}
