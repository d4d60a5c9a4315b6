import { FilterOutlined } from '@ant-design/icons';
import { Select, Switch } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { useListState } from '../../lib/crud';
import { useNarrow } from '../../lib/hooks';
import { providerName } from '../../lib/paymentProviders';
import { Button } from '../../lib/ui/Button';
import { useClear } from '../../lib/ui/clear';
import { SearchInput } from '../../lib/ui/SearchInput';
import { Day } from '../previous-orders/DateInputs';
import { dayAt, type FilterName, KINDS, PROVIDERS, REFUND_STATES, STATES } from './model';

interface Props {
  state: ReturnType<typeof useListState>;
}

/** What payments are filtered by; all of it in the address. Phones have no room for all of it: the rest is folded. */
export function Filters({ state }: Props) {
  const { t } = useTranslation();
  const narrow = useNarrow();
  const [open, setOpen] = useState(false);
  const chosen = FOLDED.filter((name) => name in state.filters).length;
  return (
    <div className="list-tools payments-tools" role="search">
      <SearchInput
        className="list-search payments-search"
        label={t('payments.search')}
        value={state.search}
        onSearch={(search) => state.set({ search })}
      />
      <Attention state={state} />
      {narrow && (
        <Button icon={<FilterOutlined />} aria-expanded={open} onClick={() => setOpen(!open)}>
          {chosen > 0 ? t('payments.filters_chosen', { number: chosen }) : t('payments.filters')}
        </Button>
      )}
      {(open || !narrow) && (
        <>
          <Choice state={state} name="kind" values={KINDS} word={(one) => t(`payments.kind.${one}`)} />
          <Choice state={state} name="provider" values={PROVIDERS} word={providerName} />
          <Choice state={state} name="state" values={STATES} word={(one) => t(`payments.state.${one}`)} />
          <Bound state={state} name="from" />
          <Bound state={state} name="till" />
        </>
      )}
      <Clear state={state} />
    </div>
  );
}

/** What refunds are filtered by. */
export function RefundFilters({ state }: Props) {
  const { t } = useTranslation();
  return (
    <div className="list-tools payments-tools" role="search">
      <SearchInput
        className="list-search payments-search"
        label={t('payments.refund_search')}
        value={state.search}
        onSearch={(search) => state.set({ search })}
      />
      <Choice
        state={state}
        name="state"
        values={REFUND_STATES}
        word={(one) => t(`payments.refund_state.${one}`)}
      />
      <Clear state={state} />
    </div>
  );
}

/** What phones fold. */
const FOLDED: readonly FilterName[] = ['kind', 'provider', 'state', 'from', 'till'];

const put = ({ state }: Props, name: FilterName, value: string | undefined) =>
  state.set({ filters: { [name]: value ? [value] : undefined } });

function Attention(props: Props) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <label className="payments-attention" htmlFor={id}>
      <Switch
        id={id}
        checked={props.state.filters.attention?.[0] === 'true'}
        onChange={(on) => put(props, 'attention', on ? 'true' : undefined)}
      />
      {t('payments.attention')}
    </label>
  );
}

interface ChoiceProps extends Props {
  name: 'kind' | 'provider' | 'state';
  values: readonly string[];
  word: (value: string) => string;
}

function Choice({ name, values, word, ...props }: ChoiceProps) {
  const { t } = useTranslation();
  const clear = useClear();
  return (
    <Select
      allowClear={clear}
      className="list-filter"
      aria-label={t(`payments.${name}`)}
      placeholder={t(`payments.${name}`)}
      popupMatchSelectWidth={false}
      options={values.map((value) => ({ value, label: word(value) }))}
      value={values.find((one) => one === props.state.filters[name]?.[0]) ?? null}
      onChange={(value?: string) => put(props, name, value)}
    />
  );
}

/** The first or the last day. */
function Bound({ name, ...props }: Props & { name: 'from' | 'till' }) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <span className="payments-day">
      <label htmlFor={id}>{t(`payments.${name}`)}</label>
      <Day
        id={id}
        value={dayAt(props.state, name) ?? null}
        onChange={(day) => put(props, name, day ?? undefined)}
      />
    </span>
  );
}

function Clear({ state }: Props) {
  const { t } = useTranslation();
  return state.filtered ? (
    <Button type="link" onClick={state.clear}>
      {t('action.clear_filters')}
    </Button>
  ) : null;
}
