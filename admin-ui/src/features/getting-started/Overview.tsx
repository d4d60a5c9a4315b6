import { CheckCircleFilled, RightOutlined } from '@ant-design/icons';
import { Progress } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import type { GettingStarted } from '../../generated/model';
import { useCan } from '../../lib/access';
import { featureByKey } from '../../lib/features';
import { usePage, usePageUrl } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { Card, Chip, PageHeader } from '../../lib/ui/page';
import { useNotify } from '../../lib/ui/notify';
import { nextStep } from './api';
import { Ways } from './Ways';

/** Where each item is done by hand; what no screen here does is done in the guide. */
const SCREENS: Record<string, readonly string[]> = {
  contact: ['restaurant_general'],
  address: ['restaurant_general'],
  legal_data: ['legal_data'],
  opening_hours: ['opening_hours'],
  delivery: ['delivery_and_take_away'],
  payment_methods: ['payment_methods_web'],
  menu: ['categories_and_products'],
  staff: ['users'],
};

/** Targets that need no right beyond seeing the list. */
const OPEN_TO_ALL: Record<string, (url: ReturnType<typeof usePageUrl>) => string> = {
  test_order: (url) => url('getting_started', 'try'),
  pins: (url) => `${url('my_account')}#pin`,
};

interface Props {
  state: GettingStarted;
  dismiss: (dismissed: boolean) => Promise<void>;
}

export const doneOf = (state: GettingStarted) => ({
  done: state.items.filter((item) => item.done).length,
  all: state.items.length,
});

/** The list, ticked from the data. */
export function Overview({ state, dismiss }: Props) {
  const { t } = useTranslation();
  const { open } = usePage();
  const { done, all } = doneOf(state);
  return (
    <>
      <PageHeader
        lead={t(state.complete ? 'guide.lead_complete' : 'guide.lead')}
        mark={state.complete && <Chip tone="success">{t('guide.ready')}</Chip>}
        actions={
          <Button type="primary" onClick={() => void open(nextStep(state))}>
            {t(done === 0 ? 'guide.start' : state.complete ? 'guide.look_again' : 'guide.go_on')}
          </Button>
        }
      />
      <div className="guide-page">
        <Card>
          <div className="guide-progress">
            <Progress
              percent={Math.round((done / all) * 100)}
              strokeColor="var(--primary)"
              showInfo={false}
              aria-label={t('guide.progress', { done, all })}
            />
            <span className="num">{t('guide.progress', { done, all })}</span>
          </div>
          <ul className="guide-list">
            {state.items.map((item) => (
              <Item key={item.key} item={item} />
            ))}
          </ul>
        </Card>
        {state.complete && <Ways state={state} />}
        <Dismiss state={state} dismiss={dismiss} />
      </div>
    </>
  );
}

function Item({ item }: { item: GettingStarted['items'][number] }) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const can = useCan();
  const screen = SCREENS[item.key]
    ?.map(featureByKey)
    .find((feature) => feature && can(...feature.permission));
  const to = OPEN_TO_ALL[item.key]?.(url) ?? (screen && url(screen.key));
  const content = (
    <>
      {item.done ? (
        <CheckCircleFilled className="guide-done" aria-hidden />
      ) : (
        <span className="guide-open" aria-hidden />
      )}
      <span className="guide-text">
        <b>{t(`guide.item_${item.key}`)}</b>
        <span>{t(`guide.item_${item.key}_text`)}</span>
      </span>
      {item.done ? (
        <Chip tone="success">{t('guide.done')}</Chip>
      ) : (
        <Chip tone={item.needed ? 'warning' : 'neutral'}>
          {t(item.needed ? 'guide.needed' : 'guide.advised')}
        </Chip>
      )}
      {to && <RightOutlined aria-hidden />}
    </>
  );
  return (
    <li>
      {to ? (
        <Link className="guide-item" to={to}>
          {content}
        </Link>
      ) : (
        <div className="guide-item">{content}</div>
      )}
    </li>
  );
}

function Dismiss({ state, dismiss }: Props) {
  const { t } = useTranslation();
  const notify = useNotify();
  if (state.complete) return null;
  const change = (next: boolean) =>
    dismiss(next).then(
      () => (next ? notify.undo(t('guide.dismissed'), () => dismiss(false)) : undefined),
      notify.problem,
    );
  return (
    <p className="guide-dismiss">
      {t(state.dismissed ? 'guide.is_dismissed' : 'guide.is_shown')}{' '}
      <Button size="small" onClick={() => void change(!state.dismissed)}>
        {t(state.dismissed ? 'guide.show' : 'guide.dismiss')}
      </Button>
    </p>
  );
}

/** The way from elsewhere into the guide. */
export function useOpenGuide(): (state: GettingStarted) => void {
  const navigate = useNavigate();
  const url = usePageUrl();
  return (state) => void navigate(url('getting_started', nextStep(state)));
}
