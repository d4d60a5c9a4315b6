import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Input, Pagination } from 'antd';
import { type ClipboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format';
import { Button } from '../../../lib/ui/Button';
import {
  insertAfter,
  moveRow,
  newRow,
  paste,
  pasted,
  placeOf,
  type PointRow,
  removeRow,
  setRow,
} from './points';

/** Rows of a page: a shape may have thousands of corners. */
const PAGE = 50;

interface Props {
  rows: readonly PointRow[];
  onChange: (rows: PointRow[]) => void;
  /** Rows that are filled in, and lie nowhere, are marked. */
  strict: boolean;
}

/** The corners of a shape as rows of numbers: the way without a pointer and without a map. */
export function PointsList({ rows, onChange, strict }: Props) {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const body = useRef<HTMLTableSectionElement>(null);
  const focused = useRef<{ key: number; name: string }>(undefined);
  const last = Math.max(1, Math.ceil(rows.length / PAGE));
  const from = (Math.min(page, last) - 1) * PAGE;
  // The row that was moved or added has the focus where it is now.
  useEffect(() => {
    const { key, name } = focused.current ?? {};
    focused.current = undefined;
    if (key !== undefined)
      body.current?.querySelector<HTMLElement>(`[data-row="${key}"] [data-part="${name}"]`)?.focus();
  }, [rows]);
  const change = (next: PointRow[], focus?: { key: number | undefined; name: string }) => {
    if (focus?.key !== undefined) {
      focused.current = { key: focus.key, name: focus.name };
      setPage(Math.floor(next.findIndex((row) => row.key === focus.key) / PAGE) + 1);
    }
    onChange(next);
  };
  const add = () => {
    const row = newRow();
    change([...rows, row], { key: row.key, name: 'lat' });
  };
  return (
    <>
      <table className="dr-points">
        <caption className="sr-only">{t('region_map.points')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('region_map.point_number')}</th>
            <th scope="col">{t('region_check.lat')}</th>
            <th scope="col">{t('region_check.lng')}</th>
            <th scope="col">
              <span className="sr-only">{t('list.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.slice(from, from + PAGE).map((row, index) => (
            <Row
              key={row.key}
              row={row}
              number={from + index + 1}
              rows={rows}
              strict={strict}
              onChange={change}
            />
          ))}
        </tbody>
      </table>
      {rows.length > PAGE && (
        <Pagination
          simple
          current={Math.min(page, last)}
          pageSize={PAGE}
          total={rows.length}
          showSizeChanger={false}
          onChange={setPage}
        />
      )}
      <div>
        <Button icon={<PlusOutlined />} onClick={add}>
          {t('region_map.add_point')}
        </Button>
      </div>
    </>
  );
}

interface RowProps {
  row: PointRow;
  number: number;
  rows: readonly PointRow[];
  strict: boolean;
  onChange: (rows: PointRow[], focus?: { key: number | undefined; name: string }) => void;
}

function Row({ row, number, rows, strict, onChange }: RowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { key } = row;
  const at = format.number(number);
  const wrong = strict && placeOf(row) === undefined && (row.lat.trim() !== '' || row.lng.trim() !== '');
  const take = (event: ClipboardEvent) => {
    const points = pasted(event.clipboardData.getData('text'));
    if (!points) return;
    event.preventDefault();
    onChange(paste(rows, key, points));
  };
  const input = (part: 'lat' | 'lng') => (
    <Input
      data-part={part}
      aria-label={t(`region_map.point_${part}`, { number: at })}
      placeholder={t(`region_map.short_${part}`)}
      inputMode="decimal"
      autoComplete="off"
      maxLength={200}
      value={row[part]}
      status={wrong ? 'error' : ''}
      aria-invalid={wrong}
      onPaste={take}
      onChange={(event) => onChange(setRow(rows, key, { [part]: event.target.value }))}
    />
  );
  const index = number - 1;
  return (
    <tr data-row={key}>
      <td className="num">{at}</td>
      <td>{input('lat')}</td>
      <td>{input('lng')}</td>
      <td>
        <Button
          type="text"
          icon={<PlusOutlined />}
          aria-label={t('region_map.insert_point', { number: at })}
          onClick={() => {
            const next = insertAfter(rows, key);
            onChange(next, { key: next[index + 1]?.key, name: 'lat' });
          }}
        />
        <Button
          type="text"
          data-part="up"
          icon={<ArrowUpOutlined />}
          aria-label={t('region_map.point_up', { number: at })}
          disabled={index === 0}
          onClick={() => onChange(moveRow(rows, key, -1), { key, name: 'up' })}
        />
        <Button
          type="text"
          data-part="down"
          icon={<ArrowDownOutlined />}
          aria-label={t('region_map.point_down', { number: at })}
          disabled={number === rows.length}
          onClick={() => onChange(moveRow(rows, key, 1), { key, name: 'down' })}
        />
        <Button
          type="text"
          danger
          icon={<DeleteOutlined />}
          aria-label={t('region_map.remove_point', { number: at })}
          onClick={() =>
            onChange(removeRow(rows, key), { key: (rows[index + 1] ?? rows[index - 1])?.key, name: 'lat' })
          }
        />
      </td>
    </tr>
  );
}
