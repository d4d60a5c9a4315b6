/** The unit for showing a wait: seconds, from 90 s on whole minutes. */
export const waitUnit = (seconds: number): { unit: 'seconds' | 'minutes'; n: number } =>
  seconds > 90 ? { unit: 'minutes', n: Math.ceil(seconds / 60) } : { unit: 'seconds', n: seconds };
