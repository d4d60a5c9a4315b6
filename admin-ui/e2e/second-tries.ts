import type { FullResult, Reporter, TestCase } from '@playwright/test/reporter';

/** So many tests of a run may pass at their second try only; as many among the Rust tests (`xtask/src/test_steps.rs`). */
const MOST = 3;

/** A test that passes at its second try is a fault to be looked at: of the test or of the product. */
export default class SecondTries implements Reporter {
  private readonly seen = new Set<TestCase>();

  onTestEnd(test: TestCase) {
    this.seen.add(test);
  }

  onEnd(result: FullResult) {
    const flaky = [...this.seen].filter((test) => test.outcome() === 'flaky');
    if (flaky.length <= MOST) return Promise.resolve(undefined);
    const names = flaky.map((test) => test.title).join(', ');
    console.error(`${flaky.length} tests passed at their second try only: ${names}.`);
    return Promise.resolve(result.status === 'passed' ? { status: 'failed' as const } : undefined);
  }
}
