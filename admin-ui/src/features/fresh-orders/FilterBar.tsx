import { CloseCircleOutlined } from '@ant-design/icons';
import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { Button } from '../../lib/ui/Button';
import { useClear } from '../../lib/ui/clear';
import { SearchInput } from '../../lib/ui/SearchInput';
import { channelName } from '../order/Channel';
import { type Filter, filters, NO_FILTER, type Payment, PAYMENTS, type Way, WAYS } from './filter';
import { PLATFORMS } from './useFilter';

/** The text filters soon after the last key: nothing is asked of the service. ms */
const PAUSE_MS = 250;

interface Props {
  filter: Filter;
  change: (part: Partial<Filter>) => void;
  shown: number;
  /** Of those that were loaded. */
  all: number;
  /** How many of those that are not shown wait to be accepted. */
  hiddenWaiting: number;
  /** There are others that were not loaded. */
  more: boolean;
}

/** Which orders the board shows. New ones ring whether or not they are shown. */
export default function FilterBar({ filter, change, shown, all, hiddenWaiting, more }: Props) {
  const { t } = useTranslation();
  const clear = useClear();
  return (
    <search className="fresh-filter" aria-label={t('fresh.filter')}>
      <SearchInput
        className="fresh-filter-text"
        label={t('fresh.filter_text')}
        value={filter.text}
        pause={PAUSE_MS}
        onSearch={(text) => change({ text })}
      />
      <Select<string[]>
        mode="multiple"
        className="fresh-filter-channel"
        aria-label={t('fresh.filter_channel')}
        placeholder={t('fresh.filter_channel')}
        allowClear={clear}
        maxTagCount="responsive"
        showSearch={{ optionFilterProp: 'label' }}
        value={[...filter.channels]}
        onChange={(channels) => change({ channels })}
        options={PLATFORMS.map((value) => ({ value, label: channelName(value, t) }))}
      />
      <Select<Way[]>
        mode="multiple"
        className="fresh-filter-way"
        aria-label={t('fresh.filter_way')}
        placeholder={t('fresh.filter_way')}
        allowClear={clear}
        maxTagCount="responsive"
        showSearch={false}
        value={[...filter.ways]}
        onChange={(ways) => change({ ways })}
        options={WAYS.map((value) => ({ value, label: t(`fresh.way_${value}`) }))}
      />
      <Select<Payment>
        className="fresh-filter-payment"
        aria-label={t('fresh.filter_payment')}
        placeholder={t('fresh.filter_payment')}
        allowClear={clear}
        {...(filter.payment ? { value: filter.payment } : {})}
        onChange={(payment?: Payment) => change({ payment })}
        options={PAYMENTS.map((value) => ({ value, label: t(`fresh.payment_${value}`) }))}
      />
      {filters(filter) && (
        <>
          <Button icon={<CloseCircleOutlined />} onClick={() => change(NO_FILTER)}>
            {t('action.clear_filters')}
          </Button>
          <p className="fresh-filter-note" role="status" data-attention={hiddenWaiting > 0}>
            {t('fresh.filter_shown', { shown, all })}
            {hiddenWaiting > 0 && ` ${t('fresh.filter_hidden', { number: hiddenWaiting })}`}
            {more && ` ${t('fresh.filter_loaded')}`}
          </p>
        </>
      )}
    </search>
  );
}
