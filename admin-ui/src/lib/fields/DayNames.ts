import dayjs from 'dayjs';
import 'dayjs/locale/hu';
import type { Language } from '../format';

// Pickers ask the language for the first day of the week; the English one would begin on Sunday.
if (dayjs.Ls.en) dayjs.Ls.en.weekStart = 1;

/** Month names of calendars are in this language. Weeks begin on Monday in both. */
export const speakDays = (language: Language): void => {
  dayjs.locale(language);
};
