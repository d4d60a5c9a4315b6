import { EllipsisOutlined } from '@ant-design/icons';
import { type MenuProps } from 'antd';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { useNarrow } from '../../../lib/hooks';
import { Button } from '../../../lib/ui/Button';
import { useGrowing } from './useGrowing';
import { DropMenu } from '../../../lib/ui/DropMenu';
import '../../../lib/crud/list.css';

export interface ListColumn<T> {
  key: string;
  title: string;
  render: (row: T) => ReactNode;
  align?: 'right';
  /** Only beside others, not in the cards of phones. */
  wideOnly?: boolean;
  /** Whether a row has anything to show there; a column without any is left out. */
  filled?: (row: T) => boolean;
}

interface Props<T> {
  rows: readonly T[];
  /** Says what the list is to assistive technology. */
  label: string;
  nameOf: (row: T) => string;
  href: (row: T) => string;
  /** Before the name: a colour. */
  lead?: (row: T) => ReactNode;
  /** Below the name. */
  under?: (row: T) => ReactNode;
  columns: readonly ListColumn<T>[];
  /** The switch at the end. */
  toggle: (row: T) => ReactNode;
  /** What else can be done with a row; none: no button. */
  menu?: (row: T) => MenuProps['items'];
  busy?: boolean;
}

/** Rows of the catalogue: a table, cards on phones; each row a link, walked through with the arrow keys. */
export function CatalogueList<T extends { id: string; active: boolean }>(given: Props<T>) {
  const narrow = useNarrow();
  const { shown, end, showAll } = useGrowing(given.rows);
  const props = {
    ...given,
    rows: shown,
    total: given.rows.length,
    columns: given.columns.filter(({ filled }) => !filled || given.rows.some(filled)),
  };
  return (
    <div
      onKeyDown={(event) => moveFocus(event, showAll)}
      aria-busy={props.busy ?? false}
      className={props.busy ? 'cat-busy' : undefined}
    >
      {narrow ? <Cards {...props} /> : <Wide {...props} />}
      {/* A new one after each step, because an observer tells only of changes. */}
      {shown.length < given.rows.length && <div key={shown.length} ref={end} />}
    </div>
  );
}

function Name<T extends { id: string }>({ row, nameOf, href, lead, under }: Props<T> & { row: T }) {
  return (
    <div className="cat-name">
      {lead?.(row)}
      <div className="cat-name-text">
        <Link className="row-link" to={href(row)}>
          {nameOf(row)}
        </Link>
        {under?.(row)}
      </div>
    </div>
  );
}

function More({ name, items }: { name: string; items: MenuProps['items'] }) {
  const { t } = useTranslation();
  if (!items?.length) return null;
  return (
    <DropMenu placement="bottomRight" menu={{ items }}>
      <Button type="text" icon={<EllipsisOutlined />} aria-label={t('catalogue.more_of', { name })} />
    </DropMenu>
  );
}

function Wide<T extends { id: string; active: boolean }>(props: Props<T> & { total: number }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { rows, columns, nameOf, href, toggle, menu, label } = props;
  const open = (event: MouseEvent, row: T) => {
    const own = (event.target as HTMLElement).closest('a, button, input, label, [role=switch], [role=menu]');
    if (own || getSelection()?.toString()) return;
    if (event.ctrlKey || event.metaKey) window.open(href(row), '_blank', 'noopener');
    else void navigate(href(row));
  };
  const more = useMemo(() => new Map(rows.map((row) => [row.id, menu?.(row)])), [rows, menu]);
  const hasMenus = [...more.values()].some((items) => items?.length);
  return (
    <table className="cat-table" aria-label={label} aria-rowcount={props.total + 1}>
      <thead>
        <tr>
          <th scope="col">{t('field.name')}</th>
          {columns.map((column) => (
            <th scope="col" key={column.key} data-align={column.align}>
              {column.title}
            </th>
          ))}
          <th scope="col" className="cat-narrow">
            {t('field.active')}
          </th>
          {hasMenus && (
            <th scope="col" className="cat-narrow">
              <span className="sr-only">{t('list.actions')}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} className="row-open" data-off={!row.active} onClick={(event) => open(event, row)}>
            <td>
              <Name {...props} row={row} />
            </td>
            {columns.map((column) => (
              <td key={column.key} data-align={column.align}>
                {column.render(row)}
              </td>
            ))}
            <td className="cat-narrow">{toggle(row)}</td>
            {hasMenus && (
              <td className="cat-narrow cat-more">
                <More name={nameOf(row)} items={more.get(row.id)} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cards<T extends { id: string; active: boolean }>(props: Props<T>) {
  const { rows, columns, nameOf, toggle, menu, label } = props;
  return (
    <ul className="cat-cards" aria-label={label}>
      {rows.map((row) => (
        <li key={row.id} data-off={!row.active}>
          <div className="cat-card-head">
            <Name {...props} row={row} />
            {toggle(row)}
            <More name={nameOf(row)} items={menu?.(row)} />
          </div>
          <div className="cat-card-facts">
            {columns
              .filter((column) => !column.wideOnly)
              .map((column) => (
                <span key={column.key}>{column.render(row)}</span>
              ))}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Up, down, Home and End walk through the rows' links; Enter on a link is the browser's own. */
function moveFocus(event: KeyboardEvent<HTMLElement>, showAll: () => void): void {
  if (
    event.altKey ||
    !['ArrowDown', 'ArrowUp', 'Home', 'End'].includes(event.key) ||
    !(event.target as HTMLElement).classList.contains('row-link')
  )
    return;
  if (event.key === 'End') showAll();
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('.row-link')];
  const at = links.indexOf(event.target as HTMLElement);
  links[{ ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key]!]?.focus();
  event.preventDefault();
}
