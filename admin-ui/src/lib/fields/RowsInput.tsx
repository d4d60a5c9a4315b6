import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Form } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useAddedRow } from '../form/useAddedRow';
import { Button } from '../ui/Button';
import { type FieldInfo, initialOf, writable } from './kinds';

/** Rows of fields in their order; all by keyboard, Alt+arrows move a row. */
export default function RowsInput({
  name,
  info,
  children,
}: {
  name: string;
  info: FieldInfo;
  /** A field of a row; `path` is the place of its value. */
  children: (field: string, info: FieldInfo, path: (string | number)[]) => ReactNode;
}) {
  const { t } = useTranslation();
  const fields = writable(info.rows ?? {});
  const { ref, added } = useAddedRow();
  return (
    <Form.List name={name}>
      {(rows, { add, remove, move }) => (
        <div ref={ref} className="rows">
          {rows.map((row, index) => (
            <div
              className="row"
              key={row.key}
              role="group"
              aria-label={t('rows.row', { number: index + 1 })}
              onKeyDown={(event) => {
                if (!event.altKey || !['ArrowUp', 'ArrowDown'].includes(event.key)) return;
                event.preventDefault();
                const to = index + (event.key === 'ArrowUp' ? -1 : 1);
                if (to >= 0 && to < rows.length) move(index, to);
              }}
            >
              {fields.map(([field, meta]) => children(field, meta, [row.name, field]))}
              <div className="row-actions">
                <Button
                  type="text"
                  icon={<ArrowUpOutlined />}
                  aria-label={t('action.up')}
                  disabled={index === 0}
                  onClick={() => move(index, index - 1)}
                />
                <Button
                  type="text"
                  icon={<ArrowDownOutlined />}
                  aria-label={t('action.down')}
                  disabled={index === rows.length - 1}
                  onClick={() => move(index, index + 1)}
                />
                <Button
                  type="text"
                  danger
                  icon={<DeleteOutlined />}
                  aria-label={t('action.remove')}
                  onClick={() => remove(row.name)}
                />
              </div>
            </div>
          ))}
          <Button
            icon={<PlusOutlined />}
            onClick={() => {
              add(Object.fromEntries(fields.map(([field, meta]) => [field, initialOf(meta)])));
              added();
            }}
          >
            {t('rows.add')}
          </Button>
        </div>
      )}
    </Form.List>
  );
}
