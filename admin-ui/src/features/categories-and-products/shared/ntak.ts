import { useTranslation } from 'react-i18next';
import { type Language, useFormat } from '../../../lib/format';
import { useNtakCategories } from './api';
import type { NtakCategory } from './types';

/** The pair of a category of the tax report in words: "Étel / leves". */
export const ntakPair = (row: NtakCategory, language: Language): string =>
  language === 'hu'
    ? `${row.main_category_name} / ${row.sub_category_name}`
    : `${row.main_category_name_en} / ${row.sub_category_name_en}`;

/** Categories of the tax report by their ids: in words, and with those that can be chosen. */
export function useNtakWords() {
  const { t } = useTranslation();
  const { language } = useFormat();
  const rows = useNtakCategories();
  /** One that has ended says so. */
  const words = (row: NtakCategory) =>
    row.state === 'valid'
      ? ntakPair(row, language)
      : t(`ntak.${row.state}_named`, { name: ntakPair(row, language) });
  const nameOf = (id: string | null | undefined) => {
    const row = id ? rows?.find((one) => one.id === id) : undefined;
    return row && words(row);
  };
  return {
    loaded: rows !== undefined,
    nameOf,
    /** By the words of the report: `ETEL/LEVES`. */
    nameOfWords: (both: string) => {
      const row = rows?.find((one) => `${one.main_category}/${one.sub_category}` === both);
      return row && words(row);
    },
    /** Those that can be chosen; one that cannot be only where it is set. */
    options: (value: string | null | undefined) =>
      (rows ?? [])
        .filter((row) => row.state === 'valid' || row.id === value)
        .map((row) => ({ value: row.id, label: words(row) })),
    unit: (unit: string | null | undefined) => (unit ? t(`field.ntak_quantity_unit.${unit}`) : undefined),
  };
}
