import { CheckCircleOutlined, ReloadOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { MenuHealth as Health, MenuHealthCheck, MenuMend } from '../../generated/model';
import { useCan } from '../../lib/access';
import { useFormat } from '../../lib/format';
import { usePageUrl } from '../../lib/navigation';
import { useRestaurant } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { Card, Chip, PageHeader } from '../../lib/ui/page';
import { EmptyState, QueryFallback, State } from '../../lib/ui/states';
import { useWork } from '../../lib/ui/work';
import { useLiveCatalogue } from '../categories-and-products/shared/useLiveCatalogue';
import { useHealth, useMending } from './api';
import { Check } from './Check';
import '../../lib/crud/list.css';
import './health.css';

/** What is wrong with the menu, each finding with a link, and one click where that is safe. */
export default function MenuHealth() {
  // What is shown is of one restaurant.
  return <Screen key={useRestaurant().id} />;
}

function Screen() {
  const { t } = useTranslation();
  const query = useHealth();
  useLiveCatalogue();
  const shown = query.isError ? undefined : query.data;
  return (
    <>
      <PageHeader
        lead={t('menu_health.lead')}
        actions={
          <Button
            icon={<ReloadOutlined />}
            loading={query.isFetching && shown !== undefined}
            onClick={() => void query.refetch()}
          >
            {t('menu_health.again')}
          </Button>
        }
      />
      {shown ? (
        <Found health={shown} />
      ) : (
        <Card>
          <QueryFallback query={query} rows={8} />
        </Card>
      )}
    </>
  );
}

function Found({ health }: { health: Health }) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const found = health.checks.filter(({ total }) => total > 0);
  const skipped = health.checks.filter((check) => check.skipped !== null);
  const clean = health.checks.filter((check) => check.total === 0 && check.skipped === null);
  if (health.products === 0)
    return (
      <Card>
        <EmptyState
          title={t('menu_health.empty_title')}
          text={t('menu_health.empty')}
          actions={<Link to={url('categories_and_products')}>{t('menu_health.to_menu')}</Link>}
        />
      </Card>
    );
  return (
    <div className="page-cards">
      <Summary health={health} />
      {found.length === 0 && (
        <Card>
          <State
            icon={<CheckCircleOutlined />}
            title={t('menu_health.well_title')}
            text={t('menu_health.well')}
          />
        </Card>
      )}
      {found.map((check) => (
        <Check key={check.rule} check={check} />
      ))}
      {health.mends.length > 0 && <Mends mends={health.mends} />}
      {clean.length > 0 && (
        <Card title={t('menu_health.clean')}>
          <ul className="health-clean">
            {clean.map(({ rule }) => (
              <li key={rule}>
                <CheckCircleOutlined aria-hidden /> {t(`menu_health.rule.${rule}`)}
              </li>
            ))}
          </ul>
        </Card>
      )}
      {skipped.length > 0 && <Skipped checks={skipped} />}
    </div>
  );
}

/** How many of each weight. */
function Summary({ health: { checks, products } }: { health: Health }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const sum = (weight: MenuHealthCheck['weight']) =>
    checks.reduce((all, check) => all + (check.weight === weight ? check.total : 0), 0);
  return (
    <section aria-label={t('menu_health.summary')}>
      <dl className="health-totals">
        {(['error', 'warning', 'hint'] as const).map((weight) => (
          <div key={weight} data-weight={weight}>
            <dt>{t(`menu_health.weight.${weight}`)}</dt>
            <dd className="num">{number(sum(weight))}</dd>
          </div>
        ))}
        <div>
          <dt>{t('menu_health.products')}</dt>
          <dd className="num">{number(products)}</dd>
        </div>
      </dl>
    </section>
  );
}

/** The checks that did not run, and why. */
function Skipped({ checks }: { checks: readonly MenuHealthCheck[] }) {
  const { t } = useTranslation();
  const can = useCan();
  const url = usePageUrl();
  return (
    <Card title={t('menu_health.skipped')}>
      <ul className="health-skipped">
        {checks.map(({ rule, skipped }) => (
          <li key={rule}>
            <b>{t(`menu_health.rule.${rule}`)}</b>: {t(`menu_health.skip.${skipped}`)}
            {rule === 'tax_category_missing' && skipped === 'no_tax_report' && can('catalog_edit') && (
              <>
                {' '}
                <Link to={url('ntak_menu')} aria-label={t('menu_health.propose_tax')}>
                  {t('menu_health.propose')}
                </Link>
              </>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The newest mends, with the way back while there is one. */
function Mends({ mends }: { mends: readonly MenuMend[] }) {
  const { t } = useTranslation();
  return (
    <Card flush title={t('menu_health.mends')}>
      <ul className="health-findings" aria-label={t('menu_health.mends')}>
        {mends.map((mend) => (
          <Mended key={mend.id} mend={mend} />
        ))}
      </ul>
    </Card>
  );
}

function Mended({ mend }: { mend: MenuMend }) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  const can = useCan();
  const notify = useNotify();
  const { undo, refresh } = useMending();
  const { busy, work } = useWork();
  const rule = t(`menu_health.rule.${mend.rule}`);
  const back = async () => {
    try {
      await undo(mend.id);
      notify.info(t('state.undone'));
    } catch (error) {
      notify.problem(error);
      await refresh();
    }
  };
  return (
    <li>
      <span className="health-name">
        <b>{rule}</b>
        <span className="health-kind">{t('menu_health.mended', { count: mend.count })}</span>
      </span>
      <span className="health-words">
        {t('menu_health.mended_by', { name: mend.actor_name, time: dateTime(mend.created_at) })}
      </span>
      {mend.undone_at ? (
        <Chip>{t('menu_health.undone')}</Chip>
      ) : (
        mend.undo_until &&
        can('catalog_edit') && (
          <Button
            loading={busy}
            aria-label={t('menu_health.undo_of', { rule, time: dateTime(mend.created_at) })}
            onClick={() => void work(back)}
          >
            {t('action.undo')}
          </Button>
        )
      )}
    </li>
  );
}
