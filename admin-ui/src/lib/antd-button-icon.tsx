import { type CSSProperties, forwardRef, type ReactNode } from 'react';

interface Props {
  prefixCls: string;
  className?: string;
  style?: CSSProperties;
  children?: ReactNode;
}

/**
 * Stands in for the part of antd's button that holds its icon (see vite.config.ts): an icon calls itself by
 * an English word ("plus"), which became part of the button's name. A button is called by its text or its
 * label; its icon is decoration.
 */
export default forwardRef<HTMLSpanElement, Props>(function ButtonIcon(
  { prefixCls, className, style, children },
  ref,
) {
  return (
    <span
      ref={ref}
      aria-hidden
      className={[`${prefixCls}-icon`, className].filter(Boolean).join(' ')}
      style={style}
    >
      {children}
    </span>
  );
});
