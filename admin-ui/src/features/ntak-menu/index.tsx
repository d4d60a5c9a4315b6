import { Segmented } from 'antd';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { PageHeader } from '../../lib/ui/page';
import { Changes } from './Changes';
import { Proposals } from './Proposals';
import { WholeMenu } from './WholeMenu';
import './ntak.css';

const VIEWS = ['proposals', 'menu'] as const;

/**
 * Categories, units and quantities of the tax report for a whole menu: what the names speak for, to be taken in one
 * step, and all rows, to set many at once. Each step can be undone for a day.
 */
export default function NtakMenu() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const view = VIEWS.find((one) => one === params.get('view')) ?? 'proposals';
  return (
    <>
      <PageHeader
        lead={t('ntak_menu.lead')}
        actions={
          <Segmented
            aria-label={t('ntak_menu.view')}
            value={view}
            options={VIEWS.map((value) => ({ value, label: t(`ntak_menu.view.${value}`) }))}
            onChange={(next) => setParams(next === 'proposals' ? {} : { view: next })}
          />
        }
      />
      <div className="page-cards">
        {view === 'proposals' ? <Proposals /> : <WholeMenu />}
        <Changes />
      </div>
    </>
  );
}
