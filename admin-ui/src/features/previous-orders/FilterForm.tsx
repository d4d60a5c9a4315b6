import { FilterOutlined, SearchOutlined } from '@ant-design/icons';
import { useQueryClient } from '@tanstack/react-query';
import type { FormInstance } from 'antd';
import { type Dispatch, type SetStateAction, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { InputForm } from '../../lib/form/InputForm';
import { type InputForm as State, useInputForm } from '../../lib/form/useInputForm';
import { useNarrow } from '../../lib/hooks';
import { ApiError } from '../../lib/http';
import { Button } from '../../lib/ui/Button';
import { readList } from './api';
import { Quick, RangeFields } from './RangeFields';
import { BaseFields, MoreFields } from './Fields';
import { useFilterWords } from './useWords';
import { cleaned, type Filter, isInstant, isSet, MORE, NO_FILTER, sameFilter } from './filter';

interface Props {
  filter: Filter;
  apply: (filter: Filter) => void;
  /** Why the list could not be read. */
  error: Error | null;
}

/** What stands in the fields. */
const read = (form: FormInstance<Filter>): Filter =>
  cleaned({ ...NO_FILTER, ...(form.getFieldsValue(true) as Partial<Filter>) });
const hasTimes = ({ from, till }: Filter): boolean => isInstant(from) || isInstant(till);

/** The fields follow a filter that came from elsewhere: a tag that was removed, a link, a saved one. */
function useFollowing(state: State<Filter>, filter: Filter, onFollow: () => void) {
  const latest = useRef({ state, onFollow });
  latest.current = { state, onFollow };
  useEffect(() => {
    const { state: form, onFollow: follow } = latest.current;
    if (sameFilter(read(form.form), filter)) return;
    form.begin(filter);
    follow();
  }, [filter]);
}

/** A filter of a link that the service refuses: what is wrong stands at its field. */
function useRefusal(state: State<Filter>, error: Error | null, onRefusal: () => void) {
  const latest = useRef({ state, onRefusal });
  latest.current = { state, onRefusal };
  useEffect(() => {
    if (!(error instanceof ApiError) || error.status !== 422) return;
    const { state: now, onRefusal: tell } = latest.current;
    // The form's own words say more than those for all fields.
    now.form.validateFields().then(
      () => now.fail(error),
      () => undefined,
    );
    tell();
  }, [error]);
}

/** The form above the list. The service says whether it can be searched so before the list changes. */
export function FilterForm({ filter, apply, error }: Props) {
  const client = useQueryClient();
  const narrow = useNarrow();
  const id = useId();
  const [open, setOpen] = useState(false);
  const [timed, setTimed] = useState(hasTimes(filter));
  const words = useFilterWords();
  const opener = useRef<HTMLButtonElement>(null);
  const state: State<Filter> = useInputForm<Filter, Filter>({
    initial: filter,
    guard: false,
    repeatable: true,
    send: async () => {
      const chosen = read(state.form);
      await readList(client, chosen);
      return chosen;
    },
    onDone: (chosen) => {
      apply(chosen);
      if (!narrow) return;
      setOpen(false);
      requestAnimationFrame(() => opener.current?.focus());
    },
  });
  useFollowing(state, filter, () => setTimed(hasTimes(filter)));
  useRefusal(state, error, () => setOpen(true));
  const reset = () => {
    state.begin(NO_FILTER);
    setTimed(false);
    apply(NO_FILTER);
  };
  return (
    <div className="previous-filters" role="search">
      {narrow && (
        <Opener ref={opener} number={words(filter).length} {...{ open, setOpen }} controls={`${id}-form`} />
      )}
      <div id={`${id}-form`} hidden={narrow && !open}>
        <InputForm state={state} name="previous">
          <Parts id={id} filter={filter} onReset={reset} {...{ state, timed, setTimed }} />
        </InputForm>
      </div>
    </div>
  );
}

/** On phones the form lies behind a button, so that the list is seen. */
function Opener({
  ref,
  number,
  open,
  setOpen,
  controls,
}: {
  ref: React.Ref<HTMLButtonElement>;
  number: number;
  open: boolean;
  setOpen: Dispatch<SetStateAction<boolean>>;
  controls: string;
}) {
  const { t } = useTranslation();
  return (
    <Button
      ref={ref as never}
      block
      icon={<FilterOutlined />}
      aria-expanded={open}
      aria-controls={controls}
      onClick={() => setOpen(!open)}
    >
      {number > 0 ? t('previous.filters_on', { number }) : t('previous.filters')}
    </Button>
  );
}

interface PartsProps {
  id: string;
  state: State<Filter>;
  filter: Filter;
  timed: boolean;
  setTimed: (timed: boolean) => void;
  onReset: () => void;
}

function Parts({ id, state, filter, timed, setTimed, onReset }: PartsProps) {
  const { t } = useTranslation();
  const [more, setMore] = useState<boolean>();
  const number = MORE.filter((name) => isSet(filter, name)).length;
  return (
    <div className="previous-form">
      <BaseFields>
        <RangeFields form={state.form} timed={timed} />
      </BaseFields>
      <Quick form={state.form} timed={timed} setTimed={setTimed} onChoose={() => void state.submit()} />
      {more !== undefined && (
        <div id={`${id}-more`} className="previous-wide" hidden={!more}>
          <MoreFields />
        </div>
      )}
      <div className="previous-buttons">
        <Button
          icon={<FilterOutlined />}
          aria-expanded={more ?? false}
          {...(more === undefined ? {} : { 'aria-controls': `${id}-more` })}
          onClick={() => setMore(!more)}
        >
          {number > 0 ? t('previous.more_on', { number }) : t('previous.more')}
        </Button>
        <Button onClick={onReset}>{t('previous.reset')}</Button>
        <Button type="primary" htmlType="submit" icon={<SearchOutlined />} loading={state.saving}>
          {t('previous.submit')}
        </Button>
      </div>
    </div>
  );
}
