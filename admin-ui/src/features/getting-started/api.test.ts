import { describe, expect, it } from 'vitest';
import { nextStep, stepDone, STEPS } from './api';

const state = (...done: string[]) => ({
  items: STEPS.flatMap((step) => step.items).map((key) => ({ key, done: done.includes(key), needed: true })),
});

describe('the guide', () => {
  it('goes on where something is missing', () => {
    expect(nextStep(state())).toBe('identity');
    expect(nextStep(state('contact'))).toBe('identity');
    expect(nextStep(state('contact', 'legal_data', 'address', 'delivery', 'payment_methods'))).toBe('hours');
    expect(nextStep(state(...STEPS.flatMap((step) => step.items)))).toBe('try');
  });

  it('does not wait for what the service does not list', () => {
    expect(stepDone({ items: [{ key: 'delivery', done: true, needed: true }] }, 'food')).toBe(true);
  });
});
