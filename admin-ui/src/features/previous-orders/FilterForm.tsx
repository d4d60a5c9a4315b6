import { FilterOutlined, SearchOutlined } from '@ant-design/icons';
import { useQueryClient } from '@tanstack/react-query';
import type { FormInstance } from 'antd';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { InputForm } from '../../lib/form/InputForm';
import { type InputForm as State, useInputForm } from '../../lib/form/useInputForm';
import { useNarrow } from '../../lib/hooks';
import { ApiError } from '../../lib/http';
import { Button } from '../../lib/ui/Button';
import { readList } from './api';
import { Quick, RangeFields } from './RangeFields';
import { BaseFields, MoreFields, SearchField } from './Fields';
import { cleaned, type Filter, foldedCount, isInstant, NO_FILTER, sameFilter } from './filter';

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

/** The search above the list, and folded below it all else that can be asked. The service says whether it can be
 * searched so before the list changes. */
export function FilterForm({ filter, apply, error }: Props) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const narrow = useNarrow();
  const id = useId();
  const [open, setOpen] = useState(false);
  const [timed, setTimed] = useState(hasTimes(filter));
  const opener = useRef<HTMLButtonElement>(null);
  const state: State<Filter> = useInputForm<Filter, Filter>({
    initial: filter,
    guard: false,
    repeatable: true,
    send: async () => {
      const chosen = read(state.form);
      try {
        await readList(client, chosen);
      } catch (refused) {
        // What is wrong stands at its field.
        if (refused instanceof ApiError && refused.keys.some((key) => key !== 'q')) setOpen(true);
        throw refused;
      }
      return chosen;
    },
    onDone: (chosen) => {
      apply(chosen);
      if (!narrow || !open) return;
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
  const number = foldedCount(filter);
  return (
    <div className="previous-filters" role="search">
      <InputForm state={state} name="previous">
        <div className="previous-form">
          <div className="previous-search">
            <SearchField />
          </div>
          <div className="previous-buttons">
            <Button
              ref={opener as never}
              icon={<FilterOutlined />}
              aria-expanded={open}
              aria-controls={`${id}-more`}
              onClick={() => setOpen(!open)}
            >
              {number > 0 ? t('previous.more_on', { number }) : t('previous.more')}
            </Button>
            <Button onClick={reset}>{t('previous.reset')}</Button>
            <Button type="primary" htmlType="submit" icon={<SearchOutlined />} loading={state.saving}>
              {t('previous.submit')}
            </Button>
          </div>
          <div id={`${id}-more`} className="previous-wide" hidden={!open}>
            <Quick form={state.form} timed={timed} setTimed={setTimed} onChoose={() => void state.submit()} />
            <BaseFields>
              <RangeFields form={state.form} timed={timed} />
            </BaseFields>
            <MoreFields />
          </div>
        </div>
      </InputForm>
    </div>
  );
}
