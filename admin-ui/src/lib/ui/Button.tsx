import { Button as AntButton } from 'antd';
import { cloneElement, type ComponentProps, isValidElement } from 'react';

/**
 * antd's button, whose icon is decoration: an icon of antd is labelled with an English word ("plus"), which
 * would become part of the button's name. A button is named by its text or its `aria-label`.
 */
export function Button({ icon, ...props }: ComponentProps<typeof AntButton>) {
  const decoration = isValidElement<{ 'aria-hidden'?: boolean }>(icon)
    ? cloneElement(icon, { 'aria-hidden': true })
    : icon;
  return <AntButton {...props} icon={decoration} />;
}
