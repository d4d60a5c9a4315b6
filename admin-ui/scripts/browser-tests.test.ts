import { execFileSync } from 'node:child_process';
import type { FullConfig, FullResult, Suite } from '@playwright/test/reporter';
import { expect, it, vi } from 'vitest';
import SecondTries from '../e2e/second-tries.ts';

it('at most 130 browser tests run by day; the others are tagged @nightly', () => {
  const list = execFileSync('node_modules/.bin/playwright', ['test', '--list'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, PULT_E2E_SHORT: '1' },
  });
  const [, tests] = /^Total: (\d+) tests in/m.exec(list)!;
  expect(Number(tests)).toBeLessThanOrEqual(130);
  // Fails when the list is empty for another reason.
  expect(Number(tests)).toBeGreaterThan(80);
}, 60_000);

it('more than three second tries fail a run, and are named', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const endOf = (flaky: number) => {
    const outcomes = ['expected', ...Array.from({ length: flaky }, () => 'flaky')];
    const tests = outcomes.map((outcome, at) => ({
      outcome: () => outcome,
      titlePath: () => ['', '', 'x.spec.ts', `test ${at}`],
    }));
    const reporter = new SecondTries();
    reporter.onBegin({} as FullConfig, { allTests: () => tests } as unknown as Suite);
    return reporter.onEnd({ status: 'passed' } as FullResult);
  };
  expect(await endOf(3)).toBeUndefined();
  expect(await endOf(4)).toEqual({ status: 'failed' });
  expect(error).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('4 tests'));
  expect(error.mock.lastCall![0]).toContain('x.spec.ts › test 4');
  error.mockRestore();
});
