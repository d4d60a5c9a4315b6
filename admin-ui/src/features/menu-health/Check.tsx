import { CheckOutlined } from '@ant-design/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { MenuFinding, MenuHealthCheck, MenuHealthRule } from '../../generated/model';
import { useCan } from '../../lib/access';
import { useFormat } from '../../lib/format';
import { later } from '../../lib/later';
import { usePageUrl } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { Card, Chip, type Tone } from '../../lib/ui/page';
import { useSubjectUrl } from '../categories-and-products/shared/subject';
import { useHealth } from './api';
import { asksAPerson, SETTINGS, useFindingWords } from './words';

const MendDialog = later(() => import('./MendDialog'), 'over');

const TONES: Record<MenuHealthCheck['weight'], Tone> = { error: 'error', warning: 'warning', hint: 'info' };

/** So many findings stand there at first: below some hundred missing pictures nobody finds the next check. */
const FIRST = 10;

/** One check with what it found. */
export function Check({ check }: { check: MenuHealthCheck }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const can = useCan();
  const page = usePageUrl();
  const [all, setAll] = useState(false);
  const [mending, setMending] = useState(false);
  const { rule, weight, total, mendable } = check;
  const first = check.findings.slice(0, FIRST);
  const rest = total - first.length;
  return (
    <Card
      flush
      className="health-check"
      title={
        <>
          {t(`menu_health.rule.${rule}`)} <Chip tone={TONES[weight]}>{number(total)}</Chip>
        </>
      }
      extra={
        can('catalog_edit') &&
        (mendable > 0 ? (
          <Button icon={<CheckOutlined />} onClick={() => setMending(true)}>
            {asksAPerson(rule) ? t('menu_health.mend.allergens') : t('menu_health.mend', { count: mendable })}
          </Button>
        ) : (
          // Its own screen proposes categories by name, for the whole menu at once.
          rule === 'tax_category_missing' && (
            <Link className="row-link" to={page('ntak_menu')}>
              {t('menu_health.propose')}
            </Link>
          )
        ))
      }
    >
      <p className="health-why">{t(`menu_health.why.${rule}`)}</p>
      {all ? <Whole rule={rule} known={check.findings} /> : <Findings rule={rule} findings={first} />}
      {rest > 0 && !all && (
        <footer className="list-foot">
          <Button onClick={() => setAll(true)}>{t('menu_health.show_all', { count: total })}</Button>
        </footer>
      )}
      {mending && <MendDialog rule={rule} onClose={() => setMending(false)} />}
    </Card>
  );
}

/** All findings; those that are known until they are there. */
function Whole({ rule, known }: { rule: MenuHealthRule; known: readonly MenuFinding[] }) {
  const { data } = useHealth(rule);
  return <Findings rule={rule} findings={data?.checks[0]?.findings ?? known} />;
}

function Findings({ rule, findings }: { rule: MenuHealthRule; findings: readonly MenuFinding[] }) {
  const { t } = useTranslation();
  return (
    <ul className="health-findings" aria-label={t(`menu_health.rule.${rule}`)}>
      {findings.map((finding, at) => (
        <Finding key={`${finding.subject.id}-${at}`} rule={rule} finding={finding} />
      ))}
    </ul>
  );
}

function Finding({ rule, finding }: { rule: MenuHealthRule; finding: MenuFinding }) {
  const { t } = useTranslation();
  const words = useFindingWords(rule);
  const url = useSubjectUrl();
  const { subject, other } = finding;
  const to = url(subject, SETTINGS[rule]);
  const name = subject.name ?? t('menu_health.restaurant');
  const kind = t(`menu_health.kind.${subject.kind}`);
  const there = other && url(other);
  return (
    <li>
      <span className="health-name">
        {to ? (
          <Link className="row-link" to={to}>
            {name}
          </Link>
        ) : (
          <b>{name}</b>
        )}
        <span className="health-kind">{kind}</span>
      </span>
      <span className="health-words">
        {words(finding)}{' '}
        {there && other.name && (
          <Link to={there} aria-label={t('menu_health.open_of', { name: other.name })}>
            {t('menu_health.open')}
          </Link>
        )}
      </span>
    </li>
  );
}
