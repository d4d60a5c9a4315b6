import { CheckOutlined } from '@ant-design/icons';
import { Progress } from 'antd';
import { type ComponentType, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { GettingStarted } from '../../generated/model';
import { usePage, usePageUrl } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { PageHeader } from '../../lib/ui/page';
import { stepDone, type StepKey, STEPS } from './api';
import { AddressStep, IdentityStep } from './FormSteps';
import { FoodStep } from './FoodStep';
import { HoursStep } from './HoursStep';
import { MenuStep } from './MenuStep';
import type { StepProps } from './stepProps';
import { TryStep } from './TryStep';

const CONTENT: Record<StepKey, ComponentType<StepProps>> = {
  identity: IdentityStep,
  address: AddressStep,
  hours: HoursStep,
  food: FoodStep,
  menu: MenuStep,
  try: TryStep,
};

/**
 * One step at a time. Each is saved when one goes on; what is done follows from the data, so it can be left
 * anywhere.
 */
export function Guide({
  step,
  state,
  onSaved,
}: {
  step: StepKey;
  state: GettingStarted;
  onSaved: () => void;
}) {
  const { t } = useTranslation();
  const { open } = usePage();
  // By step: one that is being left may still render once while the next one is there.
  const saves = useRef<Partial<Record<StepKey, () => Promise<boolean>>>>({});
  const [saving, setSaving] = useState(false);
  const at = STEPS.findIndex(({ key }) => key === step);
  const Content = CONTENT[step];

  const go = async (to: StepKey | undefined) => {
    setSaving(true);
    try {
      if ((await saves.current[step]?.()) === false) return;
      onSaved();
      void open(to);
      scrollTo({ top: 0 });
    } finally {
      setSaving(false);
    }
  };

  return (
    <>
      <PageHeader title={t(`guide.step_${step}`)} lead={t(`guide.step_${step}_lead`)} />
      <StepList step={step} state={state} />
      <div className="settings">
        <Content
          key={step}
          onSave={(run) => {
            saves.current[step] = run;
          }}
          onSaved={onSaved}
        />
        <div className="save-bar form-buttons">
          {at > 0 && (
            <Button disabled={saving} onClick={() => void go(STEPS[at - 1]!.key)}>
              {t('guide.back')}
            </Button>
          )}
          <span className="form-buttons-gap" />
          <Button type="text" disabled={saving} onClick={() => void go(undefined)}>
            {t('guide.later')}
          </Button>
          <Button type="primary" loading={saving} onClick={() => void go(STEPS[at + 1]?.key)}>
            {t(STEPS[at + 1] ? 'guide.next' : 'guide.finish')}
          </Button>
        </div>
      </div>
    </>
  );
}

/** The steps with what is done, each a link. */
function StepList({ step, state }: { step: StepKey; state: GettingStarted }) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const done = STEPS.filter(({ key }) => stepDone(state, key)).length;
  return (
    <nav className="guide-steps" aria-label={t('guide.steps')}>
      <ol>
        {STEPS.map(({ key }, index) => (
          <li key={key}>
            <Link
              to={url('getting_started', key)}
              aria-current={key === step ? 'step' : undefined}
              data-done={stepDone(state, key)}
            >
              <span className="guide-number" aria-hidden>
                {stepDone(state, key) ? <CheckOutlined /> : index + 1}
              </span>
              <span className="guide-name">{t(`guide.step_${key}`)}</span>
              {stepDone(state, key) && <span className="sr-only">{t('guide.done')}</span>}
            </Link>
          </li>
        ))}
      </ol>
      <Progress
        percent={Math.round((done / STEPS.length) * 100)}
        size="small"
        strokeColor="var(--primary)"
        showInfo={false}
        aria-label={t('guide.progress', { done, all: STEPS.length })}
      />
    </nav>
  );
}
