import { useTranslation } from 'react-i18next';
import { labelOf } from '../../../lib/fields/labels';
import { useNow } from '../../../lib/hooks';
import { useFormat } from '../../../lib/format';
import { useColors, useVats } from './api';
import type { IdField, Ids } from './externalIds';
import { inherited, inheritedChannel, inheritedSitIn, type Inherited, type Level } from './inherit';
import { useNtakWords } from './ntak';
import { useOriginText } from './origin';
import { type Channel, CHANNELS, type Inheritable, type TimeRange, type Visible } from './types';

/** Where a row is shown, and which of it is its own. */
export function useShownSummary(): (value: Visible, above: readonly Level<Visible>[]) => string[] {
  const { t } = useTranslation();
  const names = (channels: readonly Channel[]) => channels.map((c) => t(`catalogue.short_${c}`)).join(', ');
  return (value, above) => {
    const hidden = CHANNELS.filter((c) => (value[c] ?? inheritedChannel(above, c).value) === false);
    const own = CHANNELS.filter((c) => value[c] !== null);
    let where = t('catalogue.hidden_on', { channels: names(hidden) });
    if (hidden.length === 0) where = t('editor.shown_everywhere');
    else if (hidden.length === CHANNELS.length) where = t('catalogue.hidden_everywhere');
    return own.length > 0 ? [where, t('editor.own_of', { what: names(own) })] : [where];
  };
}

export interface Timed {
  available_from: string | null;
  available_to: string | null;
  expected_at: string | null;
  time_ranges?: TimeRange[] | null;
}

/** Ranges that are told one by one; of more only how many. */
const FEW = 3;

/** When a row can be had, where something limits it. */
export function useTimesSummary(): (row: Timed) => string[] {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  const now = new Date(useNow(60_000)).toISOString();
  return ({ expected_at: expected, available_from: from, available_to: to, time_ranges }) => {
    const ranges = time_ranges ?? [];
    return [
      ...(ranges.length > FEW ? [t('catalogue.chip_ranges', { count: ranges.length })] : []),
      ...(ranges.length <= FEW
        ? ranges.map((one) => t('catalogue.chip_range', { ...one, day: t(`day.${one.day}`) }))
        : []),
      ...(from ? [t('catalogue.chip_from', { at: dateTime(from) })] : []),
      ...(to ? [t(to < now ? 'catalogue.chip_over' : 'catalogue.chip_to', { at: dateTime(to) })] : []),
      ...(expected
        ? [t(expected < now ? 'editor.appeared' : 'catalogue.chip_expected', { at: dateTime(expected) })]
        : []),
    ];
  };
}

type Taxed = Omit<Inheritable, Channel>;

/** What is charged and reported, each with where it comes from; what nobody set is left out. */
export function useTaxSummary(): (value: Taxed, above: readonly Level[]) => string[] {
  const { t } = useTranslation();
  const { percent } = useFormat();
  const originText = useOriginText();
  const ntak = useNtakWords();
  const vats = useVats();
  const rate = (id: string | null) => percent(vats?.find((vat) => vat.id === id)?.percent);
  return (value, above) => {
    const said = <V>(label: string, own: V | null, from: Inherited<V | null>, word: (of: V) => string) => {
      const holds = own ?? from.value;
      if (holds === null) return [];
      const origin = own === null ? originText(from) : t('inherit.own');
      return [t('editor.said', { label, value: t('inherit.with_origin', { value: word(holds), origin }) })];
    };
    const sitIn = inheritedSitIn(above, value.vat_id);
    const [pair, unit] = [
      said(
        t('field.ntak_category_id'),
        value.ntak_category_id,
        inherited(above, 'ntak_category_id'),
        (id) => ntak.nameOf(id) ?? t('state.loading'),
      ),
      said(
        t('field.ntak_quantity_unit'),
        value.ntak_quantity_unit,
        inherited(above, 'ntak_quantity_unit'),
        (of) => ntak.unit(of) ?? of,
      ),
    ];
    return [
      ...said(t('field.vat_id'), value.vat_id, inherited(above, 'vat_id'), rate),
      ...(value.sit_in_vat_id === null && sitIn.origin === 'own_vat'
        ? []
        : said(t('field.sit_in_vat_id'), value.sit_in_vat_id, sitIn, rate)),
      ...pair,
      ...unit,
      ...said(t('field.has_tip'), value.has_tip, inherited(above, 'has_tip'), (on) =>
        t(on ? 'inherit.fee_on' : 'inherit.fee_off'),
      ),
    ];
  };
}

/** The colour of the till's button, where it has one. */
export function useColorSummary(): (id: string | null) => string[] {
  const { t } = useTranslation();
  const { language } = useFormat();
  const colors = useColors();
  return (id) => {
    if (id === null) return [];
    const color = colors?.find((one) => one.id === id);
    const name = language === 'hu' ? color?.name : (color?.name_en ?? color?.name);
    return [t('editor.said', { label: t('field.pos_color_id'), value: name ?? t('state.loading') })];
  };
}

/** Ids in other systems that are set. */
export function useIdsSummary(): <F extends IdField>(
  resource: string,
  fields: readonly F[],
  value: Ids<F>,
) => string[] {
  const { t } = useTranslation();
  return (resource, fields, value) =>
    fields
      .filter((field) => value[field] !== '')
      .map((field) => t('editor.said', { label: labelOf(resource, field), value: value[field] }));
}
