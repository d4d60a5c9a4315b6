import { expect, it } from 'vitest';
import { townsOf } from './names';

it.each([
  [
    'település;díj\nPáty;nem szám\n\nBudaörs;790\n',
    [
      [1, 'település'],
      [2, 'Páty'],
      [4, 'Budaörs'],
    ],
  ],
  [
    'díj\tVáros\r\n1\t Érd \r\n2\t\r\n',
    [
      [1, 'Város'],
      [2, 'Érd'],
    ],
  ],
  [
    'fee,"Town"\n1,"Cell, ""North"""\n2,"B\nC"\n3,D',
    [
      [1, 'Town'],
      [2, 'Cell, "North"'],
      [3, 'B\nC'],
      [4, 'D'],
    ],
  ],
  ['name,fee\nA,1', []],
  ['', []],
])('%j', (text, towns) => expect([...townsOf(text)]).toEqual(towns));
