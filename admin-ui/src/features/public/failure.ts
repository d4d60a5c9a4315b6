import { ApiError } from '../../lib/http';
import { isUnloaded, reloadIfAnswered } from '../../lib/reach';
import { languageCookie } from '../../lib/language';
import { LOGO } from './art';
import { h, svg } from './dom';
import { errorKey, publicTexts } from './texts';
import './public.css';

const RETRY_MS = 5000;

/** The application could not be started: shows the message and a retry. */
export function showFailure(root: HTMLElement, error: unknown): void {
  const texts = publicTexts[languageCookie.read() ?? 'hu'];
  const problem = error instanceof ApiError ? error.problem : undefined;
  const unreachable = isUnloaded(error) || problem?.status === 0;
  const message = unreachable
    ? texts['error.NETWORK_ERROR']
    : problem
      ? texts[errorKey(problem.code)]
      : String(error);
  // A till that was started before the service is there by itself when that is.
  if (unreachable || (problem?.status ?? 0) >= 500) setInterval(() => void reloadIfAnswered(), RETRY_MS);
  document.title = `${texts['failure.title']} · Pult`;
  root.replaceChildren(
    h(
      'main',
      { class: 'pub-failure' },
      svg(LOGO),
      h('h1', {}, texts['failure.title']),
      h('p', {}, texts['failure.text']),
      h(
        'p',
        { class: 'pub-problem', role: 'alert' },
        message,
        problem?.request_id ? ` (${problem.request_id})` : '',
      ),
      h(
        'button',
        { type: 'button', class: 'pub-submit', onclick: () => void reloadIfAnswered() },
        texts['failure.retry'],
      ),
    ),
  );
}
