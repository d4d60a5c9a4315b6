import { usePage } from '../../lib/navigation';
import { Card, PageHeader } from '../../lib/ui/page';
import { ErrorState, Loading } from '../../lib/ui/states';
import { STEPS, useGettingStarted } from './api';
import { Guide } from './Guide';
import { Overview } from './Overview';
import './guide.css';

/** What is missing before the restaurant can take orders, and behind `/{step}` the guide through it. */
export default function GettingStartedPage() {
  const { path } = usePage();
  const state = useGettingStarted();
  if (!state.data)
    return (
      <>
        <PageHeader />
        <Card>
          {state.error ? (
            <ErrorState error={state.error} onRetry={() => void state.refetch()} />
          ) : (
            <Loading rows={8} />
          )}
        </Card>
      </>
    );
  const step = STEPS.find(({ key }) => key === path[0]);
  if (step) return <Guide step={step.key} state={state.data} onSaved={() => void state.refetch()} />;
  return <Overview state={state.data} dismiss={state.dismiss} />;
}
