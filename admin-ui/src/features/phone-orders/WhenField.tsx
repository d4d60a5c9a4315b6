import { Radio } from 'antd';
import { useTranslation } from 'react-i18next';
import { focusSoon, useLocked } from '../../lib/form/fieldState';
import { FieldRow } from '../../lib/form/FieldRow';
import type { PhoneDraft } from './draft';
import { WantedTime } from './WantedTime';

type When = Pick<PhoneDraft, 'later' | 'pickup' | 'expected_at'>;

interface Props {
  /** When it is wanted, in whichever draft it is. */
  form: { draft: When; set: (change: Partial<Omit<When, 'pickup'>>, clears?: 'expected_at') => void };
  label: string;
  /** What stands for as soon as possible. */
  now: string;
}

/** As soon as possible, or at a time. */
export function WhenField({ form, label, now }: Props) {
  const { t } = useTranslation();
  const locked = useLocked();
  const { draft, set } = form;
  return (
    <>
      <FieldRow path="later" label={label} group>
        {({ id }) => (
          <Radio.Group
            id={id}
            aria-labelledby={`${id}-label`}
            optionType="button"
            disabled={locked}
            value={draft.later}
            onChange={(event) => {
              const later = event.target.value as boolean;
              set({ later }, 'expected_at');
              if (later) focusSoon('expected_at');
            }}
            options={[
              { value: false, label: now },
              { value: true, label: t('phone_orders.later') },
            ]}
          />
        )}
      </FieldRow>
      {draft.later && <WantedTime form={form} />}
    </>
  );
}
