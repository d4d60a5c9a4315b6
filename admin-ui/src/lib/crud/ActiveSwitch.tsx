import { useUpdate } from '@refinedev/core';
import { Switch } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ResourceName } from '../../generated/resources.gen';
import { useForget } from '../query';
import { useNotify } from '../ui/notify';
import type { Row } from './useResourceForm';

/** Switches a row on or off at once; taken back when the service refuses. */
export function ActiveSwitch({
  resource,
  row,
  name,
  params,
  before,
  onChanged,
}: {
  resource: ResourceName;
  row: Row;
  name: string;
  params?: Record<string, unknown> | undefined;
  /** Asked first: what is sent besides, or nothing where it is not to be done. */
  before?: ((active: boolean) => Promise<Record<string, unknown> | undefined>) | undefined;
  /** After it was done: the row may leave the list with it. */
  onChanged?: (active: boolean) => void;
}) {
  const { t } = useTranslation();
  const notify = useNotify();
  const forget = useForget();
  const { mutateAsync } = useUpdate();
  const [ahead, setAhead] = useState<boolean>();
  const change = async (active: boolean) => {
    const besides = before ? await before(active) : {};
    if (!besides) return;
    setAhead(active);
    try {
      await mutateAsync({
        resource,
        id: row.id!,
        values: { active, ...besides, ...(row.version === undefined ? {} : { version: row.version }) },
        mutationMode: 'pessimistic',
        meta: params ? { params } : {},
        successNotification: false,
        errorNotification: false,
      });
      onChanged?.(active);
    } catch (error) {
      notify.problem(error);
      void forget([resource]);
    } finally {
      setAhead(undefined);
    }
  };
  return (
    <label className="target">
      <Switch
        checked={ahead ?? Boolean(row.active)}
        loading={ahead !== undefined}
        aria-label={t('list.active_of', { name })}
        onChange={(next) => void change(next)}
      />
    </label>
  );
}
