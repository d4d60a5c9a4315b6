import { DownOutlined, RightOutlined, UnorderedListOutlined } from '@ant-design/icons';
import { Table, type TableColumnsType } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { RowCard } from '../../lib/crud/RowCard';
import { NONE, useFormat } from '../../lib/format';
import { useNarrow } from '../../lib/hooks';
import { usePageUrl } from '../../lib/navigation';
import { plain } from '../order/payments/exact';
import type { Range } from '../previous-orders/days';
import { type Figures, type Grouping, KINDS, type Line, stornoFilter } from './model';

interface Props {
  lines: Line[];
  all: Line;
  by: Grouping;
  range: Range;
}

/** The lines as a table, as cards on phones; those that were opened show their parts. */
export function Lines(props: Props) {
  const narrow = useNarrow();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const turn = (key: string) => {
    const next = new Set(open);
    if (!next.delete(key)) next.add(key);
    setOpen(next);
  };
  const parts = { ...props, open, turn };
  return narrow ? <Cards {...parts} /> : <LineTable {...parts} />;
}

type PartProps = Props & { open: ReadonlySet<string>; turn: (key: string) => void };

function LineTable({ lines, all, by, range, open, turn }: PartProps) {
  const { t } = useTranslation();
  const columns: TableColumnsType<Line> = [
    {
      key: 'name',
      title: t(`storno_report.${by}`),
      onCell: () => ({ className: 'storno-report-name' }),
      render: (_, line) => <Name line={line} open={open.has(line.key)} onTurn={() => turn(line.key)} />,
    },
    ...KINDS.map((kind) => ({
      key: kind,
      title: t(`storno_report.kind.${kind}`),
      align: 'right' as const,
      render: (_: unknown, line: Line) => <Amounts figures={line.kinds[kind]} />,
    })),
    {
      key: 'all',
      title: t('storno_report.all'),
      align: 'right',
      render: (_, line) => <Sum line={line} all={all} />,
    },
    {
      key: 'orders',
      title: <span className="sr-only">{t('storno_report.orders')}</span>,
      align: 'right',
      render: (_, line) => line.parts && <OrdersLink line={line} range={range} />,
    },
  ];
  return (
    <Table<Line>
      rowKey="key"
      dataSource={lines}
      columns={columns}
      pagination={false}
      scroll={{ x: true }}
      tableLayout="auto"
      rowClassName={(line) => (line.parts ? '' : 'storno-report-part')}
      expandable={{
        childrenColumnName: 'parts',
        expandedRowKeys: [...open],
        // The name opens it.
        expandIcon: () => null,
        indentSize: 0,
      }}
    />
  );
}

/** The name; that of a line with parts opens it. */
function Name({ line, open, onTurn }: { line: Line; open: boolean; onTurn: () => void }) {
  if (!line.parts) return <>{line.name}</>;
  return (
    <button type="button" className="storno-report-turn" aria-expanded={open} onClick={onTurn}>
      {open ? <DownOutlined aria-hidden /> : <RightOutlined aria-hidden />}
      <span>{line.name}</span>
    </button>
  );
}

/** How much, and how often. */
function Amounts({ figures }: { figures: Figures }) {
  const { t } = useTranslation();
  const { number, money } = useFormat();
  if (figures.number === 0) return <span className="storno-report-none">{NONE}</span>;
  return (
    <span className="storno-report-figures num">
      <span>{money(plain(figures.total))}</span>
      <small>{t('order.times', { quantity: number(figures.number) })}</small>
    </span>
  );
}

/** The same of all kinds, and what part of everything it is. */
function Sum({ line, all }: { line: Line; all: Line }) {
  const { t } = useTranslation();
  const { number, money, percent } = useFormat();
  const share = all.all.total > 0n ? Number((line.all.total * 1000n) / all.all.total) / 10 : undefined;
  return (
    <span className="storno-report-figures num">
      <b>{money(plain(line.all.total))}</b>
      <small>
        {[
          t('order.times', { quantity: number(line.all.number) }),
          line.parts && share !== undefined && percent(Math.round(share)),
        ]
          .filter(Boolean)
          .join(' · ')}
      </small>
    </span>
  );
}

/** Previous orders of these days, with what the line counts: they are found by the day of their order. */
function OrdersLink({ line, range, worded = false }: { line: Line; range: Range; worded?: boolean }) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const storno = stornoFilter(line);
  const title = t(`storno_report.orders_${storno}`);
  return (
    <Link
      className="storno-report-link"
      to={url('previous_orders', undefined, { from: range.from, till: range.till, storno })}
      title={title}
      aria-label={`${title}: ${line.name}`}
    >
      <UnorderedListOutlined aria-hidden />
      {worded && title}
    </Link>
  );
}

function Cards({ lines, all, range, open, turn }: PartProps) {
  const { t } = useTranslation();
  return (
    <ul className="list-cards">
      {lines.map((line) => (
        <RowCard
          key={line.key}
          head={
            <>
              <Name line={line} open={open.has(line.key)} onTurn={() => turn(line.key)} />
              <Sum line={line} all={all} />
            </>
          }
          facts={KINDS.filter((kind) => line.kinds[kind].number > 0).map((kind) => ({
            key: kind,
            label: t(`storno_report.kind.${kind}`),
            value: <Amounts figures={line.kinds[kind]} />,
          }))}
          foot={
            <>
              {open.has(line.key) && (
                <ul className="storno-report-parts">
                  {line.parts?.map((part) => (
                    <li key={part.key}>
                      <span>{part.name}</span>
                      <Amounts figures={part.all} />
                    </li>
                  ))}
                </ul>
              )}
              <OrdersLink line={line} range={range} worded />
            </>
          }
        />
      ))}
    </ul>
  );
}
