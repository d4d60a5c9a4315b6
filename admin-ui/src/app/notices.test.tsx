import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { App, ConfigProvider } from 'antd';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, it, vi } from 'vitest';
import { Dialog } from '../lib/ui/Dialog';
import { useNotify } from '../lib/ui/notify';
import Notices from './Notices';

const service = vi.hoisted(() => ({ announcements: vi.fn(), news: vi.fn(), confirmed: vi.fn() }));
vi.mock('../generated/client/session/session', () => ({
  myAnnouncementsList: service.announcements,
  myReleaseInfosList: service.news,
  myAnnouncementsConfirm: service.confirmed,
  myReleaseInfosConfirm: service.confirmed,
}));
vi.mock('../lib/live', () => ({ useLiveEvent: () => undefined }));
vi.mock('../lib/navigation', () => ({ usePageUrl: () => () => '/news' }));
vi.mock('react-i18next', async (original) => ({
  ...(await original<object>()),
  useTranslation: () => ({ t: (key: string) => key, i18n: { language: 'hu' } }),
}));

beforeEach(() => {
  service.confirmed.mockReset().mockResolvedValue(undefined);
  service.announcements.mockReset().mockResolvedValue([
    { id: 'a1', message: '<p>Első</p>' },
    { id: 'a2', message: '<p>Második</p>' },
  ]);
  service.news
    .mockReset()
    .mockResolvedValue([{ id: 'n1', bullet_points: [{ title: 'Újdonság', description: '<p>Szép</p>' }] }]);
});

function Question() {
  const notify = useNotify();
  return <button onClick={() => void notify.confirm({ title: 'Zársz?', verb: 'Zárás' })}>ask</button>;
}

const show = (dialog: boolean) => (
  <MemoryRouter>
    <ConfigProvider theme={{ token: { motion: false } }}>
      <App>
        {dialog && <Dialog title="Szerkesztés">…</Dialog>}
        <Question />
        <Notices />
      </App>
    </ConfigProvider>
  </MemoryRouter>
);

/** What has been asked for has come. */
const settled = () => waitFor(() => expect(service.news).toHaveBeenCalled());

it('come one after the other', async () => {
  render(show(false));
  await screen.findByText('Első');
  fireEvent.click(screen.getByRole('button', { name: 'notices.read' }));
  await screen.findByText('Második');
  fireEvent.click(screen.getByRole('button', { name: 'notices.read' }));
  await screen.findByText('Újdonság');
  expect(service.confirmed.mock.calls).toEqual([['a1'], ['a2']]);
});

it('wait until another dialog is gone', async () => {
  const { rerender } = render(show(true));
  await settled();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(screen.queryByText('Első')).toBeNull();
  rerender(show(false));
  await screen.findByText('Első');
});

it('wait until a question is answered', async () => {
  let come: (list: object[]) => void = () => undefined;
  service.news.mockResolvedValue([]);
  service.announcements.mockReturnValue(
    new Promise<object[]>((resolve) => {
      come = resolve;
    }),
  );
  render(show(false));
  fireEvent.click(screen.getByRole('button', { name: 'ask' }));
  const answer = await screen.findByRole('button', { name: 'Zárás' });
  come([{ id: 'a1', message: '<p>Első</p>' }]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(screen.queryByText('Első')).toBeNull();
  fireEvent.click(answer);
  await screen.findByText('Első');
});
