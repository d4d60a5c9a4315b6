import { useFormat } from '../../lib/format';
import type { Words } from './facts';
import { useNtakWords } from './shared/ntak';
import { sizeLabel, useSizes } from './shared/sizes';
import { useAllergens, useById, useCategories, useColors, useGroups, useVats } from './shared/api';

/**
 * Names for the comparison of two editors' versions. Everything here is already loaded by the editor beside
 * it.
 */
export function useWords(): Words {
  const format = useFormat();
  const ntak = useNtakWords();
  const [vats, colors, categories, groups, allergens, sizes] = [
    useById(useVats()),
    useById(useColors()),
    useById(useCategories().data),
    useById(useGroups().data),
    useById(useAllergens()),
    useById(useSizes()),
  ];
  const local = <T extends { name: string; name_en?: string }>(row: T | undefined, id: string) =>
    row ? (format.language === 'hu' ? row.name : (row.name_en ?? row.name)) : id;
  return {
    vat: (id) => format.percent(vats.get(id)?.percent),
    ntak: (id) => ntak.nameOf(id) ?? id,
    unit: (unit) => ntak.unit(unit) ?? unit,
    color: (id) => local(colors.get(id), id),
    category: (id) => categories.get(id)?.name ?? id,
    group: (id) => groups.get(id)?.name ?? id,
    allergen: (id) => local(allergens.get(id), id),
    size: (id) => (sizes.has(id) ? sizeLabel(sizes.get(id)!) : id),
    money: format.money,
    dateTime: format.dateTime,
  };
}
