import { liveCloseCodes, livePath, notificationTicket, SOCKET_RECONNECT } from '@jangada/contract';
import ReconnectingWebSocket from 'partysocket/ws';
import { UnsupportedCallError } from '../../api/api-error.ts';
import { apiBase } from '../../api/base-address.ts';
import { call } from '../../api/client.ts';
import { type LiveState, liveStore } from '../../api/live-state.ts';
import { session } from '../../session/session.ts';

/** A connection that has lasted this long counts as stable, and resets the number of attempts. */
const STABLE_MS = 5000;

type LiveConnection = { stop: () => void };

/**
 * Opens the live channel, the WebSocket on which the gateway pushes changes. After a loss, the channel is retried 5
 * times, 3 s apart. Then it counts as down, and is retried when the page is focused, the network returns or the user
 * presses retry.
 */
export function openLiveChannel(
  handlers: {
    onMessage: (text: string) => void;
    /** Called when the channel opens for the first time. */
    onOpened?: () => void;
    /** Called when the channel reopens after a loss: messages may have been missed. */
    onReconnected: () => void;
    /** Called when the account was frozen, which ended its sessions. */
    onFrozen: () => void;
  },
  { delayMs = SOCKET_RECONNECT.delayMs, stableMs = STABLE_MS }: { delayMs?: number; stableMs?: number } = {},
): LiveConnection {
  let attempts = 0;
  let wasOpen = false;
  let isStopped = false;
  let stableTimer: ReturnType<typeof setTimeout> | undefined;
  const setState = (state: LiveState) => liveStore.setState({ state });
  const nextUrl = () => {
    attempts += 1;
    // A retry that was still waiting when the channel was stopped must not request a ticket.
    return isStopped ? Promise.reject(new Error('stopped')) : liveUrl();
  };
  const socket = new ReconnectingWebSocket(nextUrl, [], {
    maxRetries: SOCKET_RECONNECT.tries,
    minReconnectionDelay: delayMs,
    maxReconnectionDelay: delayMs,
    reconnectionDelayGrowFactor: 1,
    minUptime: stableMs,
  });
  setState('connecting');

  const handleLoss = () => {
    clearTimeout(stableTimer);
    if (!isStopped) setState(attempts > SOCKET_RECONNECT.tries ? 'down' : 'connecting');
  };
  socket.addEventListener('open', () => {
    stableTimer = setTimeout(() => {
      attempts = 0;
    }, stableMs);
    setState('open');
    if (wasOpen) handlers.onReconnected();
    else handlers.onOpened?.();
    wasOpen = true;
  });
  socket.addEventListener('close', ({ code }) => {
    handleLoss();
    if (code === liveCloseCodes.frozen && !isStopped) handlers.onFrozen();
  });
  socket.addEventListener('error', handleLoss);
  socket.addEventListener('message', (event) => {
    if (typeof event.data === 'string') handlers.onMessage(event.data);
  });

  const retryIfDown = () => {
    if (liveStore.getState().state !== 'down') return;
    // Makes the next opening call `onReconnected` even if the first connection never succeeded, because changes were
    // missed meanwhile.
    wasOpen = true;
    attempts = 0;
    setState('connecting');
    socket.reconnect();
  };
  liveStore.setState({ retry: retryIfDown });
  window.addEventListener('focus', retryIfDown);
  window.addEventListener('online', retryIfDown);
  return {
    stop() {
      isStopped = true;
      window.removeEventListener('focus', retryIfDown);
      window.removeEventListener('online', retryIfDown);
      clearTimeout(stableTimer);
      socket.close();
      setState('off');
    },
  };
}

/**
 * The URL of the live channel for one connection. Our gateway takes a single-use ticket, so that no session token is
 * ever written to an access log. A provider without tickets takes the session token, as the specification says.
 */
async function liveUrl(): Promise<string> {
  const url = new URL(channelUrl(), location.href);
  url.protocol = url.protocol.replace('http', 'ws');
  url.searchParams.set('token', await ticketOrToken());
  return url.href;
}

function channelUrl(): string {
  return import.meta.env.VITE_WS_URL ?? apiBase + livePath;
}

async function ticketOrToken(): Promise<string> {
  try {
    return (await call(notificationTicket, {})).ticket;
  } catch (error) {
    if (error instanceof UnsupportedCallError) return session.getState().token ?? '';
    throw error;
  }
}
