import { Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { NtakChangeRow } from '../../generated/model';
import { useFormat } from '../../lib/format';
import { Button } from '../../lib/ui/Button';
import { Dialog } from '../../lib/ui/Dialog';
import { useNotify } from '../../lib/ui/notify';
import { ProblemAlert } from '../../lib/ui/states';
import { useInlineWork } from '../../lib/ui/work';
import { useNtakWords } from '../categories-and-products/shared/ntak';
import { type NtakUnit, UNITS } from '../categories-and-products/shared/types';
import { useChangeCalls } from './api';
import type { MenuRow } from './rows';

/** What the selects hold for "leave it" and "inherit", which are no values. */
const STAYS = 'stays';
const INHERITS = 'inherits';

/** A field of the body: absent leaves it, null inherits. */
const field = (name: 'ntak_category_id' | 'ntak_quantity_unit', value: string) =>
  value === STAYS ? {} : { [name]: value === INHERITS ? null : value };

interface Props {
  rows: readonly MenuRow[];
  onClose: () => void;
  onDone: () => void;
}

/** Category and unit of all chosen rows. */
export function SetDialog({ rows, onClose, onDone }: Props) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const words = useNtakWords();
  const notify = useNotify();
  const calls = useChangeCalls();
  const { busy, error, dismiss, work } = useInlineWork();
  const [category, setCategory] = useState(STAYS);
  const [unit, setUnit] = useState<string>(STAYS);
  const send = async () => {
    const set = { ...field('ntak_category_id', category), ...field('ntak_quantity_unit', unit) };
    const body = { rows: rows.map(({ level, id }) => ({ level, id, ...set }) as NtakChangeRow) };
    await work(async (keyFor) => {
      const made = await calls.change(body, keyFor(body));
      notify.undo(t('ntak_menu.set_done'), () => calls.undo(made.id));
      onDone();
    });
  };
  const fixed = [
    { value: STAYS, label: t('ntak_menu.stays') },
    { value: INHERITS, label: t('ntak_menu.inherits') },
  ];
  return (
    <Dialog
      title={t('ntak_menu.set_title', { number: number(rows.length) })}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button
            type="primary"
            loading={busy}
            disabled={category === STAYS && unit === STAYS}
            onClick={() => void send()}
          >
            {t('ntak_menu.set_verb')}
          </Button>
        </>
      }
    >
      {error !== undefined && <ProblemAlert error={error} onClose={dismiss} />}
      <div className="ntak-set">
        <label htmlFor="ntak-set-category">{t('field.ntak_category_id')}</label>
        <Select
          id="ntak-set-category"
          className="edit-wide"
          value={category}
          showSearch={{ optionFilterProp: 'label' }}
          popupMatchSelectWidth={false}
          onChange={setCategory}
          options={[...fixed, ...words.options(null)]}
        />
        <label htmlFor="ntak-set-unit">{t('field.ntak_quantity_unit')}</label>
        <Select
          id="ntak-set-unit"
          className="edit-wide"
          value={unit}
          onChange={setUnit}
          options={[...fixed, ...UNITS.map((one: NtakUnit) => ({ value: one, label: words.unit(one)! }))]}
        />
      </div>
    </Dialog>
  );
}
