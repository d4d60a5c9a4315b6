import { Checkbox } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MenuFinding, MenuHealth, MenuHealthRule } from '../../generated/model';
import { useFormat } from '../../lib/format';
import { Dialog } from '../../lib/ui/Dialog';
import { useNotify } from '../../lib/ui/notify';
import { ProblemAlert, QueryFallback } from '../../lib/ui/states';
import { useInlineWork } from '../../lib/ui/work';
import { useGrowing } from '../categories-and-products/shared/useGrowing';
import { useHealth, useMending } from './api';
import { asksAPerson, mendsRates } from './words';

interface Props {
  rule: MenuHealthRule;
  onClose: () => void;
}

/** What one click would write, row by row; what should stay is left out. */
export default function MendDialog({ rule, onClose }: Props) {
  const { t } = useTranslation();
  const query = useHealth(rule);
  const found = query.data?.checks.find((check) => check.rule === rule)?.findings;
  const mendable = found?.filter((finding) => finding.mend !== null && finding.subject.id);
  if (!query.data || !mendable)
    return (
      <Dialog title={t(`menu_health.rule.${rule}`)} onCancel={onClose} footer={null}>
        <QueryFallback query={query} rows={4} />
      </Dialog>
    );
  return <Choice rule={rule} health={query.data} findings={mendable} onClose={onClose} />;
}

function Choice({
  rule,
  health,
  findings,
  onClose,
}: Props & { health: MenuHealth; findings: readonly MenuFinding[] }) {
  const { t } = useTranslation();
  const notify = useNotify();
  const { mend, undo, refresh } = useMending();
  const all = findings.flatMap(({ subject: { id } }) => id ?? []);
  const [left, setLeft] = useState<ReadonlySet<string>>(() => new Set(asksAPerson(rule) ? all : []));
  const { busy, error, work } = useInlineWork();
  const { shown, end } = useGrowing(findings);
  const ids = all.filter((id) => !left.has(id));
  const turn = (id: string) => {
    const next = new Set(left);
    if (!next.delete(id)) next.add(id);
    setLeft(next);
  };
  const send = async () => {
    const done = await work(async (keyFor) => {
      const body = { rule, catalogue_version: health.catalogue_version, ids };
      const made = await mend(body, keyFor(body));
      onClose();
      notify.undo(t('menu_health.mended', { count: made.count }), () => undo(made.id));
    });
    // Somebody else may have changed the menu: what is found now is read.
    if (!done) await refresh();
  };
  return (
    <Dialog
      title={
        asksAPerson(rule)
          ? t('menu_health.mend_title.allergens')
          : t('menu_health.mend_title', { rule: t(`menu_health.rule.${rule}`) })
      }
      onCancel={onClose}
      okText={t(asksAPerson(rule) ? 'menu_health.mend_do.allergens' : 'menu_health.mend_do', {
        count: ids.length,
      })}
      cancelText={t('action.cancel')}
      okButtonProps={{ disabled: ids.length === 0, loading: busy }}
      onOk={() => void send()}
    >
      {error !== undefined && <ProblemAlert error={error} />}
      <p className="health-effect">{t(`menu_health.effect.${rule}`)}</p>
      <Checkbox
        checked={ids.length === all.length}
        indeterminate={ids.length > 0 && ids.length < all.length}
        disabled={busy}
        onChange={() => setLeft(new Set(ids.length === all.length ? all : []))}
      >
        {t('menu_health.choose_all', { count: all.length })}
      </Checkbox>
      <ul className="health-choices">
        {shown.map((finding) => (
          <li key={finding.subject.id}>
            <Checkbox
              checked={!left.has(finding.subject.id!)}
              disabled={busy}
              onChange={() => turn(finding.subject.id!)}
            >
              <Before rule={rule} finding={finding} />
            </Checkbox>
          </li>
        ))}
      </ul>
      <div ref={end} />
    </Dialog>
  );
}

/** The row, and what becomes of its value. */
function Before({ rule, finding }: { rule: MenuHealthRule; finding: MenuFinding }) {
  const { t } = useTranslation();
  const { percent } = useFormat();
  const rates = mendsRates(rule);
  if (asksAPerson(rule)) return <b>{finding.subject.name}</b>;
  const low = rule === 'sit_in_vat' ? finding.sit_in_percent : finding.percent;
  return (
    <>
      <b>{finding.subject.name}</b>{' '}
      <span className="health-kind">
        {rates
          ? t('menu_health.before_after', {
              before:
                rule === 'alcohol_vat' && finding.sit_in_percent !== finding.percent
                  ? `${percent(finding.percent)} / ${percent(finding.sit_in_percent)}`
                  : percent(low),
              after: percent(finding.mend),
            })
          : t('menu_health.will_be', { name: finding.mend })}
      </span>
    </>
  );
}
