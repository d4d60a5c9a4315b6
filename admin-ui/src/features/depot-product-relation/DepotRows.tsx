import { Select } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DepotShort } from '../../generated/model';
import { useNotify } from '../../lib/ui/notify';
import { Chip } from '../../lib/ui/page';
import { useRefreshCatalogue } from '../categories-and-products/shared/api';
import { useGrowing } from '../categories-and-products/shared/useGrowing';
import type { Inherited } from './depots';

interface Row {
  id: string;
  name: string;
  active: boolean;
  depot_id?: string | null;
}

interface Props<T extends Row> {
  label: string;
  rows: readonly T[];
  depots: readonly DepotShort[];
  inherited: (row: T) => Inherited;
  send: (id: string, depot: string | null) => Promise<unknown>;
  /** What the row is called, and perhaps where it leads. */
  nameOf: (row: T) => ReactNode;
  /** Rows that stand below another one. */
  isBelow?: (row: T) => boolean;
}

/** Categories or products, each with the depot that it is taken from; a choice is saved at once. */
export function DepotRows<T extends Row>(props: Props<T>) {
  const { t } = useTranslation();
  const { shown, end } = useGrowing(props.rows);
  return (
    <>
      <ul className="depot-rows" aria-label={props.label}>
        {shown.map((row) => (
          <li key={row.id} data-off={!row.active} data-below={props.isBelow?.(row) ?? false}>
            <span className="depot-name">
              {props.nameOf(row)} {!row.active && <Chip>{t('state.inactive')}</Chip>}
            </span>
            <DepotSelect row={row} depots={props.depots} inherited={props.inherited(row)} send={props.send} />
          </li>
        ))}
      </ul>
      {shown.length < props.rows.length && <div key={shown.length} ref={end} />}
      <footer className="list-foot">
        <span aria-live="polite">{t('list.total', { total: props.rows.length })}</span>
      </footer>
    </>
  );
}

/** Stands for what is inherited: a select has no option for null. */
const INHERITS = '';

interface SelectProps {
  row: Row;
  depots: readonly DepotShort[];
  inherited: Inherited;
  send: (id: string, depot: string | null) => Promise<unknown>;
}

function DepotSelect({ row, depots, inherited, send }: SelectProps) {
  const { t } = useTranslation();
  const notify = useNotify();
  const refresh = useRefreshCatalogue();
  const [ahead, setAhead] = useState<string>();
  const depotName = depots.find(({ id }) => id === inherited.depot)?.name ?? t('depot_relation.no_depot');
  const before = row.depot_id ?? null;
  const save = async (depot: string | null) => {
    await send(row.id, depot);
    await refresh();
  };
  const change = async (value: string) => {
    setAhead(value);
    try {
      await save(value || null);
      notify.undo(t('depot_relation.changed', { name: row.name }), () => save(before));
    } catch (error) {
      notify.problem(error);
      await refresh();
    }
    setAhead(undefined);
  };
  return (
    <Select<string>
      className="depot-select"
      aria-label={t('depot_relation.depot_of', { name: row.name })}
      loading={ahead !== undefined}
      disabled={ahead !== undefined}
      value={ahead ?? before ?? INHERITS}
      onChange={(value) => void change(value)}
      options={[
        {
          value: INHERITS,
          label: t('depot_relation.as_above', {
            depot: depotName,
            origin: t(`depot_relation.from_${inherited.origin}`),
          }),
        },
        ...depots.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}
