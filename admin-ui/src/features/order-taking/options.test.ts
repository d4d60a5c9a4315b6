import { describe, expect, it } from 'vitest';
import { asksFirst, choose, faultOf, firstChoice, isMet, roomIn, stillThere } from './options';
import { group } from './sample.test-data';

const one = group('dough', [1, 1], ['thin', 'thick']);
const three = group('toppings', [1, 3], ['ham', 'corn']);
const any = group('extras', [0, 0], ['cup']);

describe('limits of a group', () => {
  it.each([
    [one, {}, 'few'],
    [one, { thin: 1 }, undefined],
    [three, { ham: 3 }, undefined],
    [three, { ham: 2, corn: 2 }, 'many'],
    [three, { other: 5 }, 'few'],
    [any, {}, undefined],
    [any, { cup: 900 }, undefined],
  ])('%#', (limits, chosen, fault) => expect(faultOf(limits, chosen as never)).toBe(fault));

  it('another one takes the place where one is chosen, and none where none is wanted', () => {
    expect(choose(one, { thin: 1, ham: 2 }, 'thick', 1)).toEqual({ thick: 1, ham: 2 });
    expect(choose(one, { thin: 1 }, 'thin', 0)).toEqual({});
    expect(choose(one, {}, 'thin', 5)).toEqual({ thin: 1 });
  });

  it('as many are taken as fit', () => {
    expect(choose(three, { ham: 2 }, 'corn', 2)).toEqual({ ham: 2, corn: 1 });
    expect(choose(three, { ham: 3 }, 'corn', 1)).toEqual({ ham: 3 });
    expect(choose(three, { ham: 3 }, 'ham', 2)).toEqual({ ham: 2 });
    expect(choose(three, {}, 'ham', -1)).toEqual({});
    expect(roomIn(three, { ham: 2 })).toBe(1);
    expect(choose(any, {}, 'cup', 5000)).toEqual({ cup: 999 });
  });
});

it('asks only where there is something to say', () => {
  const lone = group('box', [1, 1], ['box']);
  expect(firstChoice([lone, any])).toEqual({ box: 1 });
  expect(asksFirst([lone, any])).toBe(false);
  expect(asksFirst([one])).toBe(true);
  expect(isMet([], {})).toBe(true);
});

it('tells options that are gone', () => {
  expect(stillThere([one, any], { thin: 1, ham: 2 })).toEqual({ kept: { thin: 1 }, gone: ['ham'] });
});
