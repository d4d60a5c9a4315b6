import { CompressOutlined } from '@ant-design/icons';
import { Alert, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format';
import { Button } from '../../../lib/ui/Button';
import { useWork } from '../../../lib/ui/work';
import { placesOf, type PointRow, rowOf } from './points';
import { MANY_POINTS, TOLERANCES } from './tolerances';

interface Props {
  rows: readonly PointRow[];
  onChange: (rows: PointRow[]) => void;
}

/** Offers to leave out corners of a shape that has many. */
export function SimplifyChoice({ rows, onChange }: Props) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { busy, work } = useWork();
  const [tolerance, setTolerance] = useState<number>(10);
  const [outcome, setOutcome] = useState<{ before: number; after: number }>();
  if (rows.length < MANY_POINTS && !outcome) return null;
  const run = () =>
    work(async () => {
      const { simplify } = await import('./simplify');
      const { points } = placesOf(rows);
      const left = simplify(points, tolerance);
      setOutcome({ before: points.length, after: left.length });
      onChange(left.map(rowOf));
    });
  return (
    <Alert
      className="page-alert"
      type="info"
      showIcon
      title={t('region_map.many_points', { number: number(rows.length) })}
      description={
        <>
          <p>{t('region_map.simplify_text')}</p>
          <div className="dr-assign">
            <Select<number>
              aria-label={t('region_map.tolerance')}
              value={tolerance}
              onChange={setTolerance}
              options={TOLERANCES.map((metres) => ({
                value: metres,
                label: t('region_map.tolerance_of', { number: number(metres) }),
              }))}
            />
            <Button icon={<CompressOutlined />} loading={busy} onClick={() => void run()}>
              {t('region_map.simplify')}
            </Button>
          </div>
          <p role="status">
            {outcome &&
              t('region_map.simplified', { before: number(outcome.before), after: number(outcome.after) })}
          </p>
        </>
      }
    />
  );
}
