import { InputNumber, type InputNumberProps } from 'antd';

/**
 * antd's input for numbers without its two small buttons, which are named in English in every language. Arrow
 * keys step.
 */
export const NumberInput = <T extends string | number>(props: InputNumberProps<T>) => (
  <InputNumber<T> {...props} controls={false} />
);
