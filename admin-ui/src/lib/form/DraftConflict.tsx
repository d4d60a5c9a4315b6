import { useTranslation } from 'react-i18next';
import { same } from './body';
import { ConflictDialog } from './ConflictDialog';
import type { Choice, Conflict } from './useRow';

/** One value of a draft as the comparison shows it. */
export interface Fact {
  /** Where it stands, to find it again in the other draft. */
  path: string;
  label: string;
  value: unknown;
  text: string;
}

/** A value that one or both changed since it was read. */
interface ChangedFact {
  path: string;
  label: string;
  theirs: string | undefined;
  mine: string | undefined;
  by: 'mine' | 'theirs' | 'both';
}

/**
 * What differs between two versions of a draft; a fact that one of them lacks was removed there, or added by
 * the other.
 */
export function differences(
  base: readonly Fact[],
  mine: readonly Fact[],
  theirs: readonly Fact[],
): ChangedFact[] {
  const of = (facts: readonly Fact[]) => new Map(facts.map((fact) => [fact.path, fact]));
  const [was, my, their] = [of(base), of(mine), of(theirs)];
  const changed = (a: Fact | undefined, b: Fact | undefined) =>
    (a === undefined) !== (b === undefined) || !same(a?.value, b?.value);
  return [...new Set([...my.keys(), ...their.keys(), ...was.keys()])].flatMap((path) => {
    const [old, m, th] = [was.get(path), my.get(path), their.get(path)];
    if (!changed(m, th)) return [];
    const label = (m ?? th ?? old)!.label;
    return [
      {
        path,
        label,
        mine: m?.text,
        theirs: th?.text,
        by: !changed(old, th) ? 'mine' : changed(old, m) ? 'both' : 'theirs',
      },
    ];
  });
}

interface Props<D> {
  conflict: Conflict<D> | undefined;
  factsOf: (draft: D) => Fact[];
  resolve: (choice: Choice) => void;
}

/** The comparison of two versions of a draft; mine is kept on top of theirs. */
export function DraftConflict<D>({ conflict, factsOf, resolve }: Props<D>) {
  const { t } = useTranslation();
  const facts = conflict
    ? differences(factsOf(conflict.base), factsOf(conflict.mine), factsOf(conflict.theirs))
    : [];
  const shown = (text: string | undefined) =>
    text === undefined ? (
      <i>{t('conflict.removed')}</i>
    ) : text === '' ? (
      <span aria-label={t('state.none')}>–</span>
    ) : (
      text
    );
  return (
    <ConflictDialog
      open={conflict !== undefined}
      saved={conflict?.saved}
      help={t('conflict.mine_help')}
      rows={facts.map((fact) => ({
        key: fact.path,
        label: fact.label,
        theirs: shown(fact.theirs),
        mine: shown(fact.mine),
        by: fact.by,
      }))}
      resolve={resolve}
    />
  );
}
