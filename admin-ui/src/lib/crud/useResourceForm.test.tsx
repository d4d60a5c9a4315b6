import { render, screen } from '@testing-library/react';
import { Form, Input } from 'antd';
import { useLayoutEffect } from 'react';
import { expect, it, vi } from 'vitest';
import { type Row, useResourceForm } from './useResourceForm';

vi.mock('@refinedev/core', () => ({
  useOne: () => ({ query: {} }),
  useCreate: () => ({}),
  useUpdate: () => ({}),
  useDelete: () => ({}),
}));
vi.mock('../resources', () => ({ resourceInfo: () => ({ ops: {} }) }));
vi.mock('../unsaved', () => ({ useUnsaved: () => ({}) }));

const fields = { name: { kind: 'text' as const } };

function Editor({ row, typed }: { row: Row; typed?: string }) {
  const { form, changed, dirty } = useResourceForm({ resource: 'things', fields, id: 'a', row });
  // Before what the row's arrival causes.
  useLayoutEffect(() => {
    if (typed === undefined) return;
    form.setFieldValue('name', typed);
    changed();
  }, [form, changed, typed]);
  return (
    <Form form={form} data-dirty={dirty}>
      <Form.Item name="name" label="Name">
        <Input />
      </Form.Item>
    </Form>
  );
}

const shown = () => (screen.getByLabelText('Name') as HTMLInputElement).value;

it('takes a newer row, but keeps what is typed in the moment it arrives', () => {
  const page = render(<Editor row={{ id: 'a', version: 1, name: 'one' }} />);
  page.rerender(<Editor row={{ id: 'a', version: 2, name: 'two' }} />);
  expect(shown()).toBe('two');
  page.rerender(<Editor row={{ id: 'a', version: 3, name: 'three' }} typed="mine" />);
  expect(shown()).toBe('mine');
});
