import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { later } from '../../lib/later';
import { useMe } from '../../lib/me';
import { useNotify } from '../../lib/ui/notify';
import { useWork } from '../../lib/ui/work';
import type { Work, WorkAgain } from '../../lib/work';

const PinDialog = later(
  async () => ({ default: (await import('../../lib/pin/PinDialog')).PinDialog }),
  'over',
);

/** Begins works anew, with the own PIN where the service wants it. */
export function useAgain(reread: () => Promise<void>, close: () => void) {
  const { t } = useTranslation();
  const me = useMe();
  const notify = useNotify();
  const { doing, work: run } = useWork<string>();
  /** Waits for the PIN. */
  const [asked, setAsked] = useState<{ title: string; pin: string; again: WorkAgain['again'] }>();
  const send = async (again: WorkAgain['again'], pin?: string) => {
    await again(pin);
    notify.success(t('long_work.begun_again'));
    await reread();
  };
  const begin = ({ id, title, retry }: Work) => {
    if (!retry || 'url' in retry) return;
    const { again, pin } = retry;
    // Super admins have no PIN; their support access stands in for it.
    if (!pin || me.super_admin) return void run(() => send(again), id);
    // The dialog would stand below the popover, which lies over everything.
    close();
    setAsked({ title, pin, again });
  };
  const question: ReactNode = asked && (
    <PinDialog
      title={asked.title}
      effect={asked.pin}
      verb={t('action.retry')}
      onPin={(pin) => send(asked.again, pin)}
      onClose={() => setAsked(undefined)}
    />
  );
  return { busy: doing, begin, question };
}
