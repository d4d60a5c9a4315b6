import type { AggregationColor } from 'antd/es/color-picker/color';

/**
 * Stands in for antd's module of colour presets (see vite.config.ts): every antd button imports this one
 * function from it, and with it a collapse panel and a colour picker, 10 kB of each first visit. We use no
 * ColorPicker.
 */
export function isBright(value: AggregationColor, _background: string): boolean {
  const { r, g, b } = value.toRgb();
  return r * 0.299 + g * 0.587 + b * 0.114 > 192;
}

export default function NoPresets(): null {
  return null;
}
