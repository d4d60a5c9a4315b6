import { useTranslation } from 'react-i18next';
import { ConflictDialog } from '../../lib/form/ConflictDialog';
import type { Choice, Conflict } from '../../lib/form/useRow';
import { DAYS, sameSpans, type Span, type Week } from './week';

interface Props {
  conflict: Conflict<Week> | undefined;
  resolve: (choice: Choice) => void;
}

/** Somebody else saved the week meanwhile: the days that differ, and which version stays. */
export function WeekConflict({ conflict, resolve }: Props) {
  const { t } = useTranslation();
  const text = (spans: readonly Span[]) =>
    spans.map((span) => `${span.open_at}–${span.close_at}`).join(', ') || t('hours.closed');
  const days = conflict ? DAYS.filter((day) => !sameSpans(conflict.theirs[day], conflict.mine[day])) : [];
  return (
    <ConflictDialog
      open={conflict !== undefined}
      saved={conflict?.saved}
      rows={days.map((day) => ({
        key: day,
        label: t(`day.${day}`),
        theirs: conflict && text(conflict.theirs[day]),
        mine: conflict && text(conflict.mine[day]),
      }))}
      resolve={resolve}
    />
  );
}
