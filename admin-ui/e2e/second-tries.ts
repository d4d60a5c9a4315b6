import type { FullConfig, FullResult, Reporter, Suite } from '@playwright/test/reporter';

/** So many tests of a run may pass at their second try. Each is a fault to be looked at; with more the run fails. */
const MOST = 3;

export default class SecondTries implements Reporter {
  #suite: Suite | undefined;

  printsToStdio(): boolean {
    return false;
  }

  onBegin(_: FullConfig, suite: Suite): void {
    this.#suite = suite;
  }

  async onEnd({ status }: FullResult): Promise<{ status: 'failed' } | undefined> {
    const found = (this.#suite?.allTests() ?? []).filter((test) => test.outcome() === 'flaky');
    if (status !== 'passed' || found.length <= MOST) return undefined;
    const names = found.map((test) => `\n  ${test.titlePath().slice(2).join(' › ')}`);
    console.error(`${found.length} tests passed at their second try only:${names.join('')}`);
    return { status: 'failed' };
  }
}
