import { ArrowRightOutlined } from '@ant-design/icons';
import { Pagination } from 'antd';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import type { MenuImport, MenuImportDifference, MenuImportLine } from '../../generated/model';
import { NONE, useFormat } from '../../lib/format';
import { Card, Chip, type Tone } from '../../lib/ui/page';
import { QueryFallback } from '../../lib/ui/states';
import { useNtakWords } from '../categories-and-products/shared/ntak';
import { useLines } from './api';
import { useFromGuide } from './guide';

type Kind = MenuImportLine['kind'];
const KINDS: readonly Kind[] = ['new', 'changed', 'unchanged', 'missing'];
const TONE: Record<Kind, Tone> = {
  new: 'success',
  changed: 'warning',
  unchanged: 'neutral',
  missing: 'info',
};
const PAGE = 40;

/**
 * The difference to the menu that is there, line by line; one kind at a time, which stands in the address.
 */
export function Lines({ row }: { row: MenuImport }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [params, setParams] = useSearchParams();
  const counts = row.counts!;
  const requested = KINDS.find((kind) => kind === params.get('kind'));
  const kind = requested ?? KINDS.find((one) => counts[one] > 0) ?? 'new';
  const page = Math.max(0, Number(params.get('page') ?? 0) || 0);
  const found = useLines(row, kind, page, PAGE);
  const { query } = useFromGuide();
  const show = (next: Kind, at = 0) =>
    setParams({ ...query, kind: next, ...(at ? { page: String(at) } : {}) });
  return (
    <Card
      flush
      title={t('menu_imports.difference')}
      extra={
        <div className="langs mi-kinds" role="group" aria-label={t('menu_imports.difference')}>
          {KINDS.map((one) => (
            <button key={one} type="button" aria-pressed={one === kind} onClick={() => show(one)}>
              {t(`menu_imports.kind.${one}`)} <span className="num">{format.number(counts[one])}</span>
            </button>
          ))}
        </div>
      }
    >
      {kind === 'missing' && <p className="mi-note">{t('menu_imports.missing_note')}</p>}
      {!found.data && <QueryFallback query={found} rows={6} />}
      {found.data?.rows.length === 0 && <p className="mi-note">{t('menu_imports.no_lines')}</p>}
      {found.data && found.data.rows.length > 0 && <LineTable lines={found.data.rows} />}
      {(found.data?.total ?? 0) > PAGE && (
        <Pagination
          className="mi-pages"
          simple
          current={page + 1}
          pageSize={PAGE}
          total={found.data?.total ?? 0}
          showSizeChanger={false}
          onChange={(next) => show(kind, next - 1)}
        />
      )}
    </Card>
  );
}

function LineTable({ lines }: { lines: readonly MenuImportLine[] }) {
  const { t } = useTranslation();
  return (
    <table className="mi-table">
      <thead>
        <tr>
          <th>{t('menu_imports.faults_row')}</th>
          <th>{t('menu_imports.field.category')}</th>
          <th>{t('menu_imports.field.name')}</th>
          <th className="mi-right">{t('menu_imports.field.price')}</th>
          <th>{t('menu_imports.differences')}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line, index) => (
          <Line key={`${line.option} ${line.row} ${index}`} line={line} />
        ))}
      </tbody>
    </table>
  );
}

function Line({ line }: { line: MenuImportLine }) {
  const { t } = useTranslation();
  const { money } = useFormat();
  return (
    <tr>
      <td className="num" data-label={t('menu_imports.faults_row')}>
        {line.row ?? NONE}
      </td>
      <td data-label={t('menu_imports.field.category')}>{line.category}</td>
      <td data-label={t('menu_imports.field.name')}>
        <span>
          <strong>{line.name}</strong>
          {line.subproduct ? ` · ${line.subproduct}` : ''}
          {line.option && (
            <>
              {' '}
              <Chip>{t('menu_imports.option')}</Chip>
            </>
          )}
        </span>
      </td>
      <td className="num mi-right" data-label={t('menu_imports.field.price')}>
        {money(line.price)}
      </td>
      <td data-label={t('menu_imports.differences')}>
        {line.differences.length === 0 ? (
          <Chip tone={TONE[line.kind]}>{t(`menu_imports.kind.${line.kind}`)}</Chip>
        ) : (
          <ul className="mi-differences">
            {line.differences.map((one) => (
              <Difference key={one.field} one={one} />
            ))}
          </ul>
        )}
      </td>
    </tr>
  );
}

function Difference({ one }: { one: MenuImportDifference }) {
  const { t } = useTranslation();
  const ntak = useNtakWords();
  const format = useFormat();
  const shown = (value: string | null | undefined) => {
    if (value === null || value === undefined || value === '') return NONE;
    if (one.field === 'price') return format.money(value);
    if (one.field === 'active') return t(value === 'true' ? 'menu_imports.yes' : 'menu_imports.no');
    if (one.field === 'option_type') return t(`menu_imports.option_type.${value}`);
    if (one.field === 'ntak_category') return ntak.nameOfWords(value) ?? value;
    if (one.field === 'ntak_quantity_unit') return ntak.unit(value) ?? value;
    return value;
  };
  return (
    <li>
      <span className="mi-hint">{t(`menu_imports.field.${one.field}`)}</span> <del>{shown(one.before)}</del>{' '}
      <ArrowRightOutlined aria-label={t('menu_imports.becomes')} /> <ins>{shown(one.after)}</ins>
    </li>
  );
}
