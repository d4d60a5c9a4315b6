/** Why orders are refused and cancelled: the restaurant's own reasons, and the standard ones where it has none. */
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { stornoReasonsList } from '../../generated/client/orders/orders';
import type { Archiving, StornoReason } from '../../generated/model';
import { useFormat } from '../../lib/format';
import { useRead } from '../../lib/query';
import { here, useRestaurant } from '../../lib/target';
import { ARCHIVE_REASONS, ArchiveReason, GOODS_REASONS, isOfGoods, type Order } from './model';

/** How long the list is there for the next dialog, which reads it again beside. ms */
const KEPT_MS = 60 * 60_000;

/** A reason as orders, partial stornos and the report tell it. */
export interface ToldReason {
  /** A standard one. */
  reason?: string | null | undefined;
  /** One of the restaurant's own. */
  reason_name?: string | null | undefined;
  reason_name_sec_lang?: string | null | undefined;
}

/** The reason of an archived order, or of a partial storno that is read as one. */
export const reasonOf = (order: Order): ToldReason & { reason_text?: string | null | undefined } => ({
  reason: order.archive_reason,
  reason_name: order.archive_reason_name,
  reason_name_sec_lang: order.archive_reason_name_sec_lang,
  reason_text: order.archive_reason_text,
});

export const isStandard = (reason: string): reason is ArchiveReason => Object.hasOwn(ArchiveReason, reason);

/** Reasons in words: own ones in the language of the interface where the restaurant has written them in it. */
export function useReasonWords() {
  const { t } = useTranslation();
  const { language } = useFormat();
  const second = language !== useRestaurant().primary_language;
  const ownName = (name: string, other: string | null | undefined) => (second && other) || name;
  const standard = (reason: ArchiveReason): string =>
    isOfGoods(reason) ? t(`order.goods_${reason}`) : t(`order.reason_${reason}`);
  const name = ({ reason, reason_name, reason_name_sec_lang }: ToldReason): string => {
    if (reason_name) return ownName(reason_name, reason_name_sec_lang);
    if (!reason) return '';
    return isStandard(reason) ? standard(reason) : reason;
  };
  return {
    ownName,
    standard,
    /** Empty where none was chosen. */
    name,
    /** With what somebody wrote. */
    why: (told: ToldReason & { reason_text?: string | null | undefined }): string =>
      [name(told), told.reason_text].filter(Boolean).join(': '),
  };
}

/** What a reason is for: a whole order that nobody accepted, one that somebody did, or goods that go back. */
export type ReasonPurpose = 'refusal' | 'storno' | 'pieces';

/** Those of the restaurant's own reasons that are offered for it. */
export const fitting = (own: readonly StornoReason[], purpose: ReasonPurpose): StornoReason[] =>
  own.filter(
    ({ active, used_for }) =>
      active && (used_for === purpose || (used_for === 'both' && purpose !== 'pieces')),
  );

/** What is sent for a choice: the key of a standard reason, or the id of one of the restaurant's own. */
export const reasonBody = (chosen: string): Pick<Archiving, 'reason' | 'reason_id'> =>
  isStandard(chosen) ? { reason: chosen } : { reason_id: chosen };

/**
 * What is offered. The standard reasons stand in while the restaurant's own are read or cannot be: they always
 * work; and who has chosen one of them keeps them.
 */
export function useReasons(purpose: ReasonPurpose, chosen: string | undefined) {
  const { ownName, standard: word } = useReasonWords();
  const query = useRead(
    'stornoReasonsList',
    ({ signal }) => stornoReasonsList(...here(), { active: true }, { signal }),
    {
      staleTime: 0,
      gcTime: KEPT_MS,
    },
  );
  const own = useMemo(() => fitting(query.data ?? [], purpose), [query.data, purpose]);
  const standard = own.length === 0 || (chosen !== undefined && isStandard(chosen));
  const choices = standard
    ? (purpose === 'pieces' ? GOODS_REASONS : ARCHIVE_REASONS).map((value) => ({
        value: value as string,
        label: word(value),
      }))
    : own.map((one) => ({ value: one.id, label: ownName(one.name, one.name_sec_lang) }));
  return {
    choices,
    /** What is chosen, unless it is not offered any more. */
    chosen: choices.some(({ value }) => value === chosen) ? chosen : undefined,
    /** Whether who chooses it must say more in words. */
    needsText: (reason: string | undefined): boolean =>
      reason === ArchiveReason.other || own.some((one) => one.id === reason && one.text_required),
    reload: () => void query.refetch(),
  };
}
