import { liveCloseCodes, livePath, notificationTicket, SOCKET_RECONNECT } from '@jangada/contract';
import ReconnectingWebSocket from 'partysocket/ws';
import { NotOffered } from '../../api/api-error.ts';
import { apiBase } from '../../api/base-address.ts';
import { call } from '../../api/client.ts';
import { type LiveState, liveState } from '../../api/live-state.ts';
import { session } from '../../session/session.ts';

/** A connection that lasted this long resets the retry count. */
const GOOD_MS = 5000;

type LiveConnection = { stop: () => void };

/**
 * Opens the live channel. After a loss it retries 5 times, 3 s apart; then it is down, and retries when the page
 * becomes visible, the network returns or the user asks for it.
 */
export function openLiveChannel(
  handlers: {
    onMessage: (text: string) => void;
    /** Reopened after a loss: messages may have been missed. */
    onRegained: () => void;
    /** The account was frozen, which ended its sessions. */
    onFrozen: () => void;
  },
  { delayMs = SOCKET_RECONNECT.delayMs, goodMs = GOOD_MS }: { delayMs?: number; goodMs?: number } = {},
): LiveConnection {
  let attempts = 0;
  let wasOpen = false;
  let stopped = false;
  let good: ReturnType<typeof setTimeout> | undefined;
  const show = (state: LiveState) => liveState.setState({ state });
  const address = () => {
    attempts += 1;
    // A retry still waiting when the channel was stopped must not request an address.
    return stopped ? Promise.reject(new Error('stopped')) : liveAddress();
  };
  const socket = new ReconnectingWebSocket(address, [], {
    maxRetries: SOCKET_RECONNECT.tries,
    minReconnectionDelay: delayMs,
    maxReconnectionDelay: delayMs,
    reconnectionDelayGrowFactor: 1,
    minUptime: goodMs,
  });
  show('connecting');

  const lost = () => {
    clearTimeout(good);
    if (!stopped) show(attempts > SOCKET_RECONNECT.tries ? 'down' : 'connecting');
  };
  socket.addEventListener('open', () => {
    good = setTimeout(() => {
      attempts = 0;
    }, goodMs);
    show('open');
    if (wasOpen) handlers.onRegained();
    wasOpen = true;
  });
  socket.addEventListener('close', ({ code }) => {
    lost();
    if (code === liveCloseCodes.frozen && !stopped) handlers.onFrozen();
  });
  socket.addEventListener('error', lost);
  socket.addEventListener('message', (event) => {
    if (typeof event.data === 'string') handlers.onMessage(event.data);
  });

  const tryAgain = () => {
    if (liveState.getState().state !== 'down') return;
    // Refetch what happened while the channel was down, even if the first connection never succeeded.
    wasOpen = true;
    attempts = 0;
    show('connecting');
    socket.reconnect();
  };
  liveState.setState({ retry: tryAgain });
  window.addEventListener('focus', tryAgain);
  window.addEventListener('online', tryAgain);
  return {
    stop() {
      stopped = true;
      window.removeEventListener('focus', tryAgain);
      window.removeEventListener('online', tryAgain);
      clearTimeout(good);
      socket.close();
      show('off');
    },
  };
}

/**
 * The URL of the live channel for one connection. Our gateway takes a single-use ticket, so that no log ever holds a
 * session token; a provider without tickets takes the token, as the specification says.
 */
async function liveAddress(): Promise<string> {
  const url = new URL(channel(), location.href);
  url.protocol = url.protocol.replace('http', 'ws');
  url.searchParams.set('token', await ticket());
  return url.href;
}

function channel(): string {
  return import.meta.env.VITE_WS_URL ?? apiBase + livePath;
}

async function ticket(): Promise<string> {
  try {
    return (await call(notificationTicket, {})).ticket;
  } catch (error) {
    if (error instanceof NotOffered) return session.getState().token ?? '';
    throw error;
  }
}
