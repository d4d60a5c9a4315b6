import row from './row.en';
import type { Texts } from '../../lib/texts/types';

const words = import.meta.glob<Texts>('../*/work.en.ts', { eager: true, import: 'default' });

/** With the words of every kind of work: the tray shows them on any screen. */
export default {
  ...Object.assign({}, ...Object.values(words)),
  ...row,
  'long_work.title': 'Background tasks',
  'long_work.number.running': 'under way: {{number}}',
  'long_work.number.done': 'finished: {{number}}',
  'long_work.number.failed': 'failed: {{number}}',
  'long_work.empty':
    'In the last day you have started nothing that runs in the background, such as an export.',
  'long_work.incomplete': 'Some of them could not be read now.',
  'long_work.said.done': '{{what}}: done.',
  'long_work.said.failed': '{{what}}: failed.',
  'long_work.begun_again': 'It was started again',
} as Texts;
