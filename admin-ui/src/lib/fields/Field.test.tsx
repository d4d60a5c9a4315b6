import { render } from '@testing-library/react';
import { Form, type FormInstance } from 'antd';
import { createRef } from 'react';
import { describe, expect, it } from 'vitest';
import type { Restaurant } from '../../generated/model';
import { RestaurantContext } from '../target';
import { Field } from './Field';
import type { FieldInfo } from './kinds';

/** Whether a form with one required field takes the value. */
async function takes(info: FieldInfo, value: unknown): Promise<boolean> {
  const form = createRef<FormInstance>();
  render(
    <RestaurantContext.Provider value={{ id: 'r' } as Restaurant}>
      <Form ref={form} initialValues={{ one: value }}>
        <Field name="one" resource="couriers" info={{ required: true, ...info }} />
      </Form>
    </RestaurantContext.Provider>,
  );
  return form.current!.validateFields().then(
    () => true,
    () => false,
  );
}

describe('a required field', () => {
  // As the service answers them: an edited row begins with these.
  it.each<[FieldInfo, unknown]>([
    [{ kind: 'text' }, 'a'],
    [{ kind: 'decimal' }, 12.5],
    [{ kind: 'decimal' }, '12.5'],
    [{ kind: 'decimal' }, 0],
    [{ kind: 'integer', min: 1, max: 20 }, 12],
    [{ kind: 'select', options: ['a'] }, 'a'],
    [{ kind: 'multiselect', options: ['a'] }, ['a']],
    [{ kind: 'switch' }, false],
  ])('takes %j with %j', async (info, value) => expect(await takes(info, value)).toBe(true));

  it.each<[FieldInfo, unknown]>([
    [{ kind: 'text' }, ''],
    [{ kind: 'text' }, '  '],
    [{ kind: 'text' }, null],
    [{ kind: 'decimal' }, null],
    [{ kind: 'integer', min: 1 }, 0],
    [{ kind: 'select', options: ['a'] }, undefined],
    [{ kind: 'multiselect', options: ['a'] }, []],
  ])('refuses %j with %j', async (info, value) => expect(await takes(info, value)).toBe(false));
});
