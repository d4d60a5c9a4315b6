import { Component, type ReactNode } from 'react';
import { useRouteError } from 'react-router';
import { ErrorState } from '../lib/ui/states';

/** A screen's chunk is gone because a newer version was installed: load the page anew, once. */
function reloadOnce(error: unknown): boolean {
  const stale = error instanceof TypeError && /dynamically imported module|module script|preload CSS/i.test(error.message);
  if (!stale || Date.now() - Number(sessionStorage.getItem('pult.reloaded') ?? 0) < 60_000) return false;
  sessionStorage.setItem('pult.reloaded', String(Date.now()));
  location.reload();
  return true;
}

/** Last resort for the whole application. */
export function Crash() {
  const error = useRouteError();
  if (reloadOnce(error)) return null;
  return <main className="bare"><ErrorState error={error} onRetry={() => location.reload()} /></main>;
}

/** A fault in one screen leaves menu and top bar alive. */
export class PageBoundary extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    if (reloadOnce(this.state.error)) return null;
    return <div className="card"><ErrorState error={this.state.error} onRetry={() => this.setState({ error: undefined })} /></div>;
  }
}
