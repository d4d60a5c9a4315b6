import { Card } from '../../lib/ui/page';
import { WeekCard } from '../opening-hours/WeekCard';
import '../opening-hours/hours.css';
import type { StepProps } from './stepProps';

/** When it is open: the week, as its screen shows it. */
export function HoursStep({ onSave }: StepProps) {
  return (
    <Card>
      <WeekCard onSave={onSave} />
    </Card>
  );
}
