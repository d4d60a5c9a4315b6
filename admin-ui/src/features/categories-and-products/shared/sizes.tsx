import { Select } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { subproductsPick } from '../../../generated/client/catalogue/catalogue';
import type { SubproductShort } from '../../../generated/model';
import { useLocked } from '../../../lib/form/fieldState';
import type { Control } from '../../../lib/form/FieldRow';
import { useRead } from '../../../lib/query';
import { here } from '../../../lib/target';
import { LABEL_SEARCH } from './labelSearch';

/** Sizes are read whole for choosing. */
const ALL = 10_000;

/** How a size is called, with its product. */
export const sizeLabel = ({ name, product_name }: { name: string; product_name: string }): string =>
  name === product_name ? name : `${product_name} – ${name}`;

/** All sizes of the menu. */
export const useSizes = (): SubproductShort[] | undefined =>
  useRead('subproductsPick', () => subproductsPick(...here(), { limit: ALL }), { staleTime: 60_000 }).data;

/** Something to choose. */
export interface Choice {
  id: string;
  label: string;
}

/** What can be chosen, and what was chosen before and is on no menu any more. */
export function optionsOf(choices: readonly Choice[] | undefined, known: readonly Choice[] = []) {
  const ids = new Set(choices?.map(({ id }) => id));
  return [...(choices ?? []), ...known.filter(({ id }) => !ids.has(id))].map(({ id, label }) => ({
    value: id,
    label,
  }));
}

/** Sizes as options of a select; `known` are those that may not be on the menu any more. */
export function useSizeOptions(known?: readonly Choice[]) {
  const sizes = useSizes();
  const choices = useMemo(() => sizes?.map((size) => ({ id: size.id, label: sizeLabel(size) })), [sizes]);
  return optionsOf(choices, known);
}

interface Props {
  /** Links the select to its label; without one, `label` names it. */
  control?: Control;
  label?: string;
  known?: readonly Choice[];
  /** A size that cannot be chosen. */
  without?: string | undefined;
  clearable?: boolean;
  value: string | null;
  onChange: (value: string | null) => void;
}

/** One size, by the name of its product and its own. */
export function SizeSelect({ control, label, known, without, clearable = false, value, onChange }: Props) {
  const { t } = useTranslation();
  const locked = useLocked();
  const options = useSizeOptions(known).filter((option) => option.value !== without);
  return (
    <Select<string | null>
      {...control}
      {...(label ? { 'aria-label': label } : {})}
      className="edit-wide"
      disabled={locked}
      allowClear={clearable}
      showSearch={LABEL_SEARCH}
      placeholder={t('subproducts.size_search')}
      value={value}
      onChange={(next?: string | null) => onChange(next ?? null)}
      options={options}
    />
  );
}
