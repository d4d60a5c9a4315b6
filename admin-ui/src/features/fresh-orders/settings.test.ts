import { beforeEach, describe, expect, it } from 'vitest';
import { DEFAULTS, readSettings } from './settings';

beforeEach(() => localStorage.clear());

describe('settings of a person on a device', () => {
  it('start with everything on', () => expect(readSettings('u1')).toEqual(DEFAULTS));

  it('are each person’s own', () => {
    localStorage.setItem('pult.orders.u1', JSON.stringify({ sound: false, volume: 0.3 }));
    expect(readSettings('u1')).toMatchObject({ sound: false, volume: 0.3, popup: true });
    expect(readSettings('u2')).toEqual(DEFAULTS);
  });

  it('survive what should not be there', () => {
    localStorage.setItem('pult.orders.u1', '{{');
    expect(readSettings('u1')).toEqual(DEFAULTS);
    localStorage.setItem('pult.orders.u1', JSON.stringify({ volume: 7 }));
    expect(readSettings('u1').volume).toBe(1);
  });
});
