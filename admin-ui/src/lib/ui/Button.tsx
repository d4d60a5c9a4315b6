import { Button as AntButton } from 'antd';
import { cloneElement, type ComponentProps, isValidElement, type MouseEvent } from 'react';

type Press = MouseEvent<HTMLElement>;

/**
 * antd's button. A pressed one takes the focus with the click, not before: a field that is left may show a message,
 * which would move the button away from under the pointer before the click.
 *
 * Its icon is decoration: an icon of antd is labelled with an English word ("plus"), which would become part of the
 * button's name. A button is named by its text or its `aria-label`.
 */
export function Button({ icon, onMouseDown, onClick, ...props }: ComponentProps<typeof AntButton>) {
  const decoration = isValidElement<{ 'aria-hidden'?: boolean }>(icon)
    ? cloneElement(icon, { 'aria-hidden': true })
    : icon;
  return (
    <AntButton
      {...props}
      icon={decoration}
      onMouseDown={(event: Press) => {
        event.preventDefault();
        onMouseDown?.(event);
      }}
      onClick={(event: Press) => {
        event.currentTarget.focus();
        onClick?.(event);
      }}
    />
  );
}
