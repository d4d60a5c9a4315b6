import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { featureByKey } from '../features';
import type { Language } from '../format';
import { usePage, usePageUrl } from '../navigation';
import { focusIfLost } from './focus';
import './page.css';

interface PageHeaderProps {
  /** The screen's own title unless given. */
  title?: ReactNode;
  /** For the browser's tab when `title` is not a plain text. */
  tabTitle?: string;
  /** Beside the title: a chip, a count. */
  mark?: ReactNode;
  /** One line below the title. */
  lead?: ReactNode;
  /** Buttons, the main one last. */
  actions?: ReactNode;
}

/**
 * Title (the page's only h1; it takes the focus that went with the page before), the optional parent screen above it,
 * actions on the right.
 */
export function PageHeader({ title, tabTitle, mark, lead, actions }: PageHeaderProps) {
  const { i18n } = useTranslation();
  const { feature } = usePage();
  const url = usePageUrl();
  const language = i18n.language as Language;
  const shown = title ?? feature?.title[language];
  const parent = feature?.parent ? featureByKey(feature.parent) : undefined;
  const tab = tabTitle ?? (typeof shown === 'string' ? shown : feature?.title[language]);
  useEffect(() => {
    document.title = tab ? `${tab} · Pult` : 'Pult';
  }, [tab]);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => focusIfLost(heading.current), []);
  return (
    <header className="page-header">
      <div className="page-header-text">
        {parent && (
          <Link className="page-parent" to={url(parent.key)}>
            {parent.title[language]}
          </Link>
        )}
        <div className="page-title-line">
          <h1 ref={heading} tabIndex={-1}>
            {shown}
          </h1>
          {mark}
        </div>
        {lead && <p className="page-lead">{lead}</p>}
      </div>
      {actions && <div className="page-actions">{actions}</div>}
    </header>
  );
}

/** A white card of a page. */
export function Card({
  title,
  extra,
  children,
  className = '',
  flush = false,
}: {
  title?: ReactNode;
  extra?: ReactNode;
  children: ReactNode;
  className?: string;
  flush?: boolean;
}) {
  return (
    <section className={`card ${flush ? 'card-flush' : ''} ${className}`}>
      {(title || extra) && (
        <div className="card-head">
          {title && <h2>{title}</h2>}
          {extra}
        </div>
      )}
      {children}
    </section>
  );
}

export type Tone = 'success' | 'warning' | 'error' | 'info' | 'neutral' | 'violet';

/** A state in words, with colour and icon beside it, never colour alone. */
export function Chip({
  tone = 'neutral',
  icon,
  children,
}: {
  tone?: Tone;
  icon?: ReactNode;
  children: ReactNode;
}) {
  return (
    <span className={`chip chip-${tone}`}>
      {icon}
      {children}
    </span>
  );
}

/** Names and values of something, two or more beside each other where there is room. */
export function Facts({ rows }: { rows: readonly (readonly [label: ReactNode, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {rows.map(([label, value], index) => (
        <div key={index}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
