import row from './row.hu';
import type { Texts } from '../../lib/texts/types';

const words = import.meta.glob<Texts>('../*/work.hu.ts', { eager: true, import: 'default' });

/** With the words of every kind of work: the tray shows them on any screen. */
export default {
  ...Object.assign({}, ...Object.values(words)),
  ...row,
  'long_work.title': 'Háttérműveletek',
  'long_work.number.running': 'folyamatban: {{number}}',
  'long_work.number.done': 'befejeződött: {{number}}',
  'long_work.number.failed': 'hibás: {{number}}',
  'long_work.empty': 'Az elmúlt egy napban nem indítottál a háttérben futó műveletet, például exportot.',
  'long_work.incomplete': 'Egy részüket most nem sikerült lekérni.',
  'long_work.said.done': '{{what}}: kész.',
  'long_work.said.failed': '{{what}}: nem sikerült.',
  'long_work.begun_again': 'Újra elindítottuk',
} as Texts;
