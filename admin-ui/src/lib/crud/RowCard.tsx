import type { ReactNode } from 'react';

interface Props {
  head: ReactNode;
  facts: readonly { key: string; label: ReactNode; value: ReactNode }[];
  /** Buttons with words, which have no room beside the head. */
  foot?: ReactNode;
}

/** One row on a phone, in a `<ul className="list-cards">`. */
export function RowCard({ head, facts, foot }: Props) {
  return (
    <li>
      <div className="list-card-head">{head}</div>
      <dl>
        {facts.map(({ key, label, value }) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {foot && <div className="list-card-foot">{foot}</div>}
    </li>
  );
}
