import { Component, type ReactNode } from 'react';
import { useRouteError } from 'react-router';
import { LoadBoundary } from '../lib/later';
import { reloadIfAnswered } from '../lib/reach';
import { ErrorState } from '../lib/ui/states';

/** Last resort for the whole application. */
export function Crash() {
  const error = useRouteError();
  return (
    <main className="bare">
      <ErrorState error={error} onRetry={() => void reloadIfAnswered()} />
    </main>
  );
}

/** A fault in one screen, or code that cannot be loaded, leaves menu and top bar alive. */
export function PageBoundary({ forget, children }: { forget: () => void; children: () => ReactNode }) {
  return (
    <FaultBoundary>
      {() => (
        <LoadBoundary how="page" forget={forget}>
          {children}
        </LoadBoundary>
      )}
    </FaultBoundary>
  );
}

class FaultBoundary extends Component<{ children: () => ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === undefined) return this.props.children();
    return (
      <div className="card">
        <ErrorState error={this.state.error} onRetry={() => this.setState({ error: undefined })} />
      </div>
    );
  }
}
