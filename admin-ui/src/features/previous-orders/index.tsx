import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { OrderRow } from '../order/model';
import { usePageUrl } from '../../lib/navigation';
import { useRestaurant } from '../../lib/target';
import { Card, PageHeader } from '../../lib/ui/page';
import { ArchiveDialog } from '../order/ArchiveDialog';
import { useOrderActions } from '../order/useOrderActions';
import { useStornoRight } from '../order/useStornoRight';
import { Actions } from './Actions';
import { useLiveRows, usePreviousOrders, useTotals } from './api';
import { NO_FILTER } from './filter';
import { FilterForm } from './FilterForm';
import { OrderList } from './OrderList';
import { usePlace } from './place';
import { Tags } from './Tags';
import { Totals } from './Totals';
import { useFilter } from './useFilter';
import '../../lib/crud/list.css';
import './previous.css';

/** Orders of any time: filters, their rows page by page, and the sums of what they find. */
export default function PreviousOrders() {
  // What is shown is of one restaurant.
  return <Screen key={useRestaurant().id} />;
}

function Screen() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const url = usePageUrl();
  const storno = useStornoRight();
  const [filter, apply] = useFilter();
  const list = usePreviousOrders(filter);
  const { query, rows } = list;
  const standing = query.data !== undefined && !query.isPlaceholderData;
  const totals = useTotals(filter, standing);
  useLiveRows(list, totals.readSoon);
  const element = useRef<HTMLDivElement>(null);
  const remember = usePlace(element, standing);
  const [archiving, setArchiving] = useState<OrderRow>();
  const actions = useOrderActions(() => {
    void list.refresh();
    totals.readSoon();
  }, list.put);
  const reset = () => apply(NO_FILTER);
  return (
    <>
      <PageHeader lead={t('previous.lead')} actions={<Actions filter={filter} apply={apply} />} />
      <Card flush className="list-card previous">
        <FilterForm filter={filter} apply={apply} error={query.error} />
        <Tags filter={filter} onChange={apply} onReset={reset} />
        {rows && rows.total > 0 && <Totals totals={totals.query.data} failed={totals.query.isError} />}
        <OrderList
          ref={element}
          list={list}
          filter={filter}
          onReset={reset}
          rows={{
            onOpen: (id) => {
              remember(id);
              void navigate(url('order_page', id));
            },
            onArchive: storno.may ? setArchiving : undefined,
            busy: actions.busy,
          }}
        />
      </Card>
      {archiving && (
        <ArchiveDialog order={archiving} actions={actions} onClose={() => setArchiving(undefined)} />
      )}
    </>
  );
}
