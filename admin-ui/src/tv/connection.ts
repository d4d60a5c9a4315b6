import { deviceAddresses } from '../generated/device-addresses.gen';
import type { TvBoard } from '../generated/model';
import type { Language } from '../device/page';
import { pause } from './rules';

/** What the service sends; `language` is one of those there are texts for. */
export type Board = TvBoard & { language: Language };

/** The state of the connection. `revoked` is for good; `off` may be switched on again. */
export type State = 'connecting' | 'live' | 'lost' | 'revoked' | 'off';

const REVOKED = 4401;
const NOT_ALLOWED = 4403;
/**
 * The service sends a heartbeat every 10 s. After this time without one the connection counts as dead.
 */
const SILENCE_MS = 25_000;
/** Without a socket (some proxies) the board is polled. */
const POLL_MS = 15_000;
const OFF_RETRY_MS = 60_000;

/** Keeps a board live for days: by a socket, asking now and then while there is none. */
export class Connection {
  private socket: WebSocket | undefined;
  private failures = 0;
  private lastMessage = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private poller: ReturnType<typeof setInterval> | undefined;
  private over = false;

  private readonly secret: string;
  private readonly onBoard: (board: Board) => void;
  private readonly onState: (state: State) => void;

  constructor(secret: string, onBoard: (board: Board) => void, onState: (state: State) => void) {
    this.secret = secret;
    this.onBoard = onBoard;
    this.onState = onState;
  }

  start(): void {
    addEventListener('online', this.again);
    document.addEventListener('visibilitychange', this.again);
    addEventListener('offline', () => this.socket && this.drop());
    setInterval(this.look, 1_000);
    this.open();
  }

  /** By the clock: a browser that slept has counted no seconds. */
  private readonly look = (): void => {
    if (this.socket?.readyState === WebSocket.OPEN && Date.now() - this.lastMessage > SILENCE_MS) this.drop();
  };

  /** The network is back, or somebody looks: no need to wait any longer. */
  private readonly again = (): void => {
    this.look();
    if (this.over || this.socket || document.visibilityState === 'hidden') return;
    clearTimeout(this.timer);
    this.failures = 0;
    this.open();
  };

  private open(): void {
    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/tv-board`);
    this.socket = socket;
    // A network that drops all packets leaves a connection attempt open for minutes.
    const patience = setTimeout(() => this.socket === socket && this.drop(), 15_000);
    socket.onopen = () => {
      this.lastMessage = Date.now();
      socket.send(this.secret);
    };
    socket.onmessage = (message) => {
      if (this.socket !== socket) return;
      clearTimeout(patience);
      this.lastMessage = Date.now();
      const { event, data } = JSON.parse(String(message.data)) as { event: string; data: Board };
      if (event !== 'TV_BOARD') return;
      this.failures = 0;
      clearInterval(this.poller);
      this.poller = undefined;
      this.onBoard(data);
      this.onState('live');
    };
    socket.onclose = (event) => {
      clearTimeout(patience);
      if (this.socket !== socket) return;
      this.socket = undefined;
      this.closed(event.code);
    };
  }

  private drop(): void {
    const socket = this.socket;
    this.socket = undefined;
    if (socket) socket.onclose = null;
    socket?.close();
    this.closed(0);
  }

  private closed(code: number): void {
    if (code === REVOKED) return this.end();
    if (code === NOT_ALLOWED) {
      this.onState('off');
      this.timer = setTimeout(() => this.open(), OFF_RETRY_MS);
      return;
    }
    this.onState('lost');
    this.timer = setTimeout(() => this.open(), pause(this.failures));
    this.failures += 1;
    this.poller ??= setInterval(() => void this.ask(), POLL_MS);
  }

  private async ask(): Promise<void> {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), 10_000);
    try {
      const answer = await fetch(deviceAddresses.board, {
        headers: { Authorization: `Bearer ${this.secret}` },
        cache: 'no-store',
        signal: patience.signal,
      });
      if (answer.status === 401) return this.end();
      if (!answer.ok || this.socket?.readyState === WebSocket.OPEN) return;
      this.onBoard((await answer.json()) as Board);
      this.onState('live');
    } catch {
      // Still no network; the socket tries too.
    } finally {
      clearTimeout(timer);
    }
  }

  private end(): void {
    this.over = true;
    clearInterval(this.poller);
    clearTimeout(this.timer);
    this.onState('revoked');
  }
}
