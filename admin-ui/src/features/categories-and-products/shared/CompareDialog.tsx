import { Modal } from 'antd';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../lib/ui/Button';
import { Chip } from '../../../lib/ui/page';
import { same } from './draft';
import type { Choice, Conflict } from './useEditor';

/** One value of a draft as the comparison shows it. */
export interface Fact {
  /** Where it stands, to find it again in the other draft. */
  path: string;
  label: string;
  value: unknown;
  text: string;
}

/** A value that one or both changed since it was read. */
export interface Difference {
  path: string;
  label: string;
  theirs: string | undefined;
  mine: string | undefined;
  /** Who changed it. Both, each in another way: only one can stay. */
  by: 'mine' | 'theirs' | 'both';
}

/**
 * What differs between two editors' versions; a fact that one of them lacks was removed there, or added by
 * the other.
 */
export function differences(
  base: readonly Fact[],
  mine: readonly Fact[],
  theirs: readonly Fact[],
): Difference[] {
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

/** Somebody else saved meanwhile: compare, take theirs, or keep mine on top of theirs. */
export function CompareDialog<D>({ conflict, factsOf, resolve }: Props<D>) {
  const { t } = useTranslation();
  const rows = conflict
    ? differences(factsOf(conflict.base), factsOf(conflict.mine), factsOf(conflict.theirs))
    : [];
  const shown = (text: string | undefined) =>
    text === undefined ? (
      <i>{t('catalogue.removed')}</i>
    ) : text === '' ? (
      <span aria-label={t('state.none')}>–</span>
    ) : (
      text
    );
  return (
    <Modal
      open={conflict !== undefined}
      title={t('conflict.title')}
      width={720}
      zIndex={1150}
      onCancel={() => resolve('later')}
      footer={[
        <Button key="theirs" onClick={() => resolve('theirs')}>
          {t('conflict.theirs')}
        </Button>,
        <Button key="mine" type="primary" onClick={() => resolve('mine')}>
          {t('conflict.mine')}
        </Button>,
      ]}
    >
      <p className="edit-lead">
        {conflict?.by ? t('conflict.text_by', { name: conflict.by }) : t('conflict.text')}{' '}
        {t('catalogue.mine_help')}
      </p>
      {rows.length === 0 ? (
        <p>{t('conflict.same')}</p>
      ) : (
        <div className="compare">
          <table>
            <thead>
              <tr>
                <th scope="col">{t('conflict.field')}</th>
                <th scope="col">{t('conflict.their_value')}</th>
                <th scope="col">{t('conflict.my_value')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.path}>
                  <th scope="row">
                    {row.label} {row.by === 'both' && <Chip tone="warning">{t('catalogue.clash')}</Chip>}
                  </th>
                  <td data-changed={row.by !== 'mine'}>{shown(row.theirs)}</td>
                  <td data-changed={row.by !== 'theirs'}>{shown(row.mine)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Modal>
  );
}
