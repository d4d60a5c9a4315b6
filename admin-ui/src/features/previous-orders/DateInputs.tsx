import { Input } from 'antd';
import { type ComponentProps, type ComponentType, Suspense } from 'react';
import { useFormat } from '../../lib/format';
import { useStanding } from '../../lib/hooks';
import { later } from '../../lib/later';
import { isInstant } from './filter';

interface Props {
  value?: string | null;
  onChange?: (value: string | null) => void;
  [control: string]: unknown;
}

/** The calendar comes once the rows are there; until then its field can be read. */
function whenStanding(Picker: ComponentType<Props>) {
  return function Waiting(props: Props) {
    const standing = useStanding();
    const { dateTime, day } = useFormat();
    const { value, id } = props as Props & Pick<ComponentProps<typeof Input>, 'id'>;
    const shown = value ? (isInstant(value) ? dateTime(value) : day(value)) : '';
    const still = <Input readOnly {...(id ? { id } : {})} value={shown} />;
    return standing ? (
      <Suspense fallback={still}>
        <Picker {...props} />
      </Suspense>
    ) : (
      still
    );
  };
}

export const Day = whenStanding(later(() => import('../../lib/fields/DayInput')));
export const DayTime = whenStanding(later(() => import('../../lib/fields/DateTimeInput')));
