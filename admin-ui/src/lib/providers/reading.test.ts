import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { readAnew } from './reading';

it('a first reading that is under way is not waited for: what is shown was asked for after the news', async () => {
  const client = new QueryClient();
  const answers: ((value: string) => void)[] = [];
  const queryFn = ({ signal }: { signal: AbortSignal }) =>
    new Promise<string>((resolve) => void (signal.aborted || answers.push(resolve)));
  const observer = new QueryObserver(client, { queryKey: ['orders'], queryFn });
  const stop = observer.subscribe(() => undefined);
  const read = readAnew(client, ['orders']);
  await expect.poll(() => answers.length).toBe(2);
  answers[0]!('before');
  answers[1]!('after');
  await read;
  expect(observer.getCurrentResult().data).toBe('after');
  stop();
});
