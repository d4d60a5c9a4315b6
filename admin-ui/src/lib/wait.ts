/** How a wait is told: in seconds, from a minute and a half on in whole minutes. */
export const waitUnit = (seconds: number): { unit: 'seconds' | 'minutes'; n: number } =>
  seconds > 90 ? { unit: 'minutes', n: Math.ceil(seconds / 60) } : { unit: 'seconds', n: seconds };
