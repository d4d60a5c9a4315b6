import { WarningOutlined } from '@ant-design/icons';
import { type ReactNode, useContext, useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { FieldStateContext } from '../../../lib/form/fieldState';
import { Chip } from '../../../lib/ui/page';
import { faultsIn } from './groups';
import './groups.css';

interface Props {
  title: string;
  /** One sentence about what belongs here. */
  lead?: ReactNode;
  /** Within a card or a drawer: without a card of its own, below one more heading. */
  inner?: boolean;
  children: ReactNode;
}

interface OpenProps extends Props {
  /** Beside the title. */
  extra?: ReactNode;
}

/** Fields of an editor that belong together, under a name that says what they are about. */
export function Group({ title, lead, inner = false, extra, children }: OpenProps) {
  const id = useId();
  const Heading = inner ? 'h3' : 'h2';
  const heading = <Heading id={id}>{title}</Heading>;
  return (
    <div className={inner ? 'group group-plain' : 'group card'} role="group" aria-labelledby={id}>
      {inner ? (
        heading
      ) : (
        <div className="card-head">
          {heading}
          {extra}
        </div>
      )}
      {lead && <p className="group-lead">{lead}</p>}
      {children}
    </div>
  );
}

interface FoldedProps extends Props {
  /** What is set inside and what holds there, in short; nothing: nothing is set. */
  said: readonly string[];
  /** The fields inside: one of them at fault opens the group. */
  fields: readonly string[];
  /** Begins their paths: `subproducts.<key>.`. */
  prefix?: string;
}

/** The same for what most rows leave as it is: folded at first, below a line that says what is set inside. */
export function FoldedGroup({
  title,
  lead,
  said,
  fields,
  prefix = '',
  inner = false,
  children,
}: FoldedProps) {
  const { t } = useTranslation();
  const { faults } = useContext(FieldStateContext);
  const id = useId();
  const box = useRef<HTMLDetailsElement>(null);
  const wrong = faultsIn(faults, fields, prefix);
  // The browser folds it, and finds on the page what is folded: what is open is the element's own.
  useEffect(() => {
    if (wrong > 0 && box.current) box.current.open = true;
  }, [faults, wrong]);
  const Heading = inner ? 'h3' : 'h2';
  return (
    <details ref={box} className={`group-folds ${inner ? 'group-in' : 'card'}`} aria-labelledby={id}>
      <summary>
        <span className="group-name">
          <Heading id={id}>{title}</Heading>
          {wrong > 0 && (
            <Chip tone="error" icon={<WarningOutlined aria-hidden />}>
              {t('catalogue.to_fix', { number: wrong })}
            </Chip>
          )}
        </span>
        <span className="group-said">{said.length > 0 ? said.join(' · ') : t('editor.nothing')}</span>
      </summary>
      <div className="group-body">
        {lead && <p className="group-lead">{lead}</p>}
        {children}
      </div>
    </details>
  );
}
