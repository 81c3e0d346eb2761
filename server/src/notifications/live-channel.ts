import type { IncomingMessage } from 'node:http';
import websocket from '@fastify/websocket';
import { liveCloseCodes, livePath } from '@jangada/contract';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import { GuessLimit } from '../http/guess-limit.ts';
import { networkOf } from '../http/network-of.ts';
import { type Loop, startLoop } from '../jobs/index.ts';
import { ANNOUNCEMENTS_CHANNEL, type Listener, readAnnouncement } from '../outbox/index.ts';
import { Refusal } from '../refusal.ts';
import { LiveHub, type LiveOwner } from './live-hub.ts';
import { UnauthenticatedSockets } from './unauthenticated-sockets.ts';

export type LiveChannelOptions = {
  readonly log: Logger;
  /** Receives messages from other processes; `start` starts it. */
  readonly listener: Listener;
  /** Returns whether a token is a valid ticket or session token, without consuming it. */
  readonly isValidToken: (token: string) => Promise<boolean>;
  /**
   * Returns the owner of a session token, or of a ticket, which is consumed. Throws UNAUTHENTICATED if the token has no
   * owner.
   */
  readonly redeemToken: (token: string) => Promise<LiveOwner>;
  /** Returns those of these sessions that are still live. */
  readonly findLiveSessions: (sessionHashes: readonly Buffer[]) => Promise<Buffer[]>;
  /**
   * The PostgreSQL channel that announces each session that ended, whose account was frozen, or that acts for another
   * account or in another role: its hash in hexadecimal, followed by `frozen`, or by `moved` with the number of the new
   * account if there is one.
   */
  readonly closedSessionsChannel: string;
  /** Counts failed guesses of tokens by network, together with those of the API. */
  readonly guesses?: GuessLimit;
  /** For tests: how often sockets are pinged. */
  readonly pingEveryMs?: number;
  /** For tests: how often ended sessions are looked for. */
  readonly checkEveryMs?: number;
  /** For tests: how long a closing socket waits for the client's close frame. */
  readonly closeTimeoutMs?: number;
};

export type LiveChannel = {
  /** Resolves when messages can be received. Clients that connected before then are asked to reconnect. */
  start(): Promise<void>;
  healthy(): boolean;
  /** Must be called before the server closes, which also closes its sockets. */
  stop(): Promise<void>;
};

// Close codes of WebSockets (RFC 6455 and the IANA registry).
const goingAwayCode = 1001;
const serviceRestartCode = 1012;
const tryAgainLaterCode = 1013;
const channelPath = `/api${livePath}`;
const defaultCloseTimeoutMs = 1000;
// More concurrent look-ups could only come from somebody who guesses tokens.
const maxConcurrentRedeems = 16;

/**
 * Mounts the live channel, `GET /api/notifications/ws?token=`: a WebSocket that sends every change to a merchant's open
 * screens, as messages of the contract (`liveMessage`). Data from the client is ignored. Must be called before other
 * routes are mounted.
 */
export async function mountLiveChannel(
  server: FastifyInstance,
  options: LiveChannelOptions,
): Promise<LiveChannel> {
  const { log, listener, pingEveryMs = 30_000, checkEveryMs = 60_000 } = options;
  const { guesses = new GuessLimit() } = options;
  const hub = new LiveHub();
  const unauthenticatedSockets = new UnauthenticatedSockets();
  let loops: Loop[] = [];
  // A client that offers to upgrade another call to a WebSocket gets a normal response.
  Object.assign(server.server, { shouldUpgradeCallback: isLiveUpgrade });
  await server.register(websocket, {
    options: { maxPayload: 1024, perMessageDeflate: false },
    errorHandler: (_error, socket) => socket.terminate(),
    preClose: () => closeAllSockets(server),
  });
  server.addHook('onResponse', async ({ raw }) => {
    // If an upgrade was refused with a response, nothing else closes the connection.
    if (isLiveUpgrade(raw)) raw.socket.destroySoon();
  });
  server.route({
    method: 'GET',
    url: channelPath,
    // Runs before a socket is opened. A network that has guessed too often gets a socket only for a valid token, and a
    // network with too many unauthenticated sockets gets none.
    onRequest: async ({ ip, query: requestQuery }) => {
      if (guesses.isSuspect(networkOf(ip)))
        await guesses.guard(networkOf(ip), () => refuseUnknownToken(options, requestQuery));
      if (!unauthenticatedSockets.hasRoomFor(networkOf(ip)))
        throw new Refusal('OVERLOADED', { retryAfterSeconds: 1 });
    },
    handler: () => {
      throw new Refusal('NOT_FOUND');
    },
    wsHandler: createSocketHandler(options, hub, guesses, unauthenticatedSockets),
  });
  subscribe(options, hub);
  return {
    async start() {
      await listener.start();
      hub.closeAll(serviceRestartCode);
      loops = [
        startLoop(log, { name: 'live pings', everyMs: pingEveryMs, work: () => pingAll(hub) }),
        startLoop(log, {
          name: 'live sessions',
          everyMs: checkEveryMs,
          work: () => closeEndedSessions(options, hub),
        }),
      ];
    },
    healthy: () => loops.length > 0 && loops.every((loop) => loop.healthy()),
    async stop() {
      await Promise.all([...loops.map((loop) => loop.stop()), listener.stop()]);
    },
  };
}

function isLiveUpgrade({ headers, url }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && url?.split('?')[0] === channelPath;
}

const querySchema = z.object({ token: z.string().min(1).max(200) });

async function refuseUnknownToken(
  { isValidToken }: LiveChannelOptions,
  requestQuery: unknown,
): Promise<void> {
  const { data } = querySchema.safeParse(requestQuery);
  if (data === undefined || !(await isValidToken(data.token))) throw new Refusal('UNAUTHENTICATED');
}

type Upgrade = { readonly query: unknown; readonly ip: string };

/**
 * Returns the handler of new sockets, which finds the owner of the token. A browser cannot read a refused upgrade, so
 * the socket is opened first and then closed with a code.
 */
function createSocketHandler(
  { redeemToken, log, closeTimeoutMs = defaultCloseTimeoutMs }: LiveChannelOptions,
  hub: LiveHub,
  guesses: GuessLimit,
  unauthenticatedSockets: UnauthenticatedSockets,
) {
  let redeemsInProgress = 0;
  return async (socket: WebSocket, { query: requestQuery, ip }: Upgrade): Promise<void> => {
    const markAuthenticated = unauthenticatedSockets.enter(socket, networkOf(ip));
    const { data } = querySchema.safeParse(requestQuery);
    if (data === undefined) return closeSocket(socket, liveCloseCodes.unauthenticated, closeTimeoutMs);
    if (redeemsInProgress >= maxConcurrentRedeems)
      return closeSocket(socket, tryAgainLaterCode, closeTimeoutMs);
    redeemsInProgress += 1;
    try {
      const { owner, closedBy } = await hub.lookUp(() => redeemToken(data.token));
      if (socket.readyState !== socket.OPEN) return;
      if (closedBy !== undefined) closeSocket(socket, closedBy, closeTimeoutMs);
      else if (hub.add(socket, owner)) markAuthenticated();
      else closeSocket(socket, liveCloseCodes.tooMany, closeTimeoutMs);
    } catch (error) {
      const isRefused = error instanceof Refusal;
      if (isRefused) guesses.countFailure(networkOf(ip));
      else log.error({ err: error }, 'a live channel could not be opened');
      closeSocket(socket, isRefused ? liveCloseCodes.unauthenticated : tryAgainLaterCode, closeTimeoutMs);
    } finally {
      redeemsInProgress -= 1;
    }
  };
}

/** Starts the closing handshake, and terminates the socket if the client does not respond in time. */
function closeSocket(socket: WebSocket, code: number, closeTimeoutMs: number): void {
  const timer = setTimeout(() => socket.terminate(), closeTimeoutMs);
  socket.once('close', () => clearTimeout(timer));
  socket.close(code);
}

function subscribe({ listener, closedSessionsChannel }: LiveChannelOptions, hub: LiveHub): void {
  listener.on(ANNOUNCEMENTS_CHANNEL, (payload) => {
    if (hub.isEmpty()) return;
    for (const { merchantId, message } of readAnnouncement(payload)) hub.send(merchantId, message);
  });
  listener.on(closedSessionsChannel, (payload) => {
    const [session = '', reason, accountId] = payload.split(' ');
    // A session that acts for another account, or in another role, opens a new channel.
    if (reason === 'moved') hub.closeSession(session, serviceRestartCode, Number(accountId));
    else hub.closeSession(session, liveCloseCodes[reason === 'frozen' ? 'frozen' : 'unauthenticated']);
  });
  // Messages may have been missed: screens reload everything when they reconnect.
  listener.onGap(() => hub.closeAll(serviceRestartCode));
}

async function pingAll(hub: LiveHub): Promise<number> {
  hub.ping();
  return 0;
}

/** Closes the sockets of ended sessions whose end was not announced, because they expired or the message was lost. */
async function closeEndedSessions({ findLiveSessions }: LiveChannelOptions, hub: LiveHub): Promise<number> {
  const sessions = hub.sessions();
  if (sessions.length === 0) return 0;
  const liveSessions = new Set((await findLiveSessions(sessions)).map((hash) => hash.toString('hex')));
  for (const session of sessions.map((hash) => hash.toString('hex')))
    if (!liveSessions.has(session)) hub.closeSession(session, liveCloseCodes.unauthenticated);
  return 0;
}

/** Starts the closing handshake on every socket, and terminates those whose client does not respond in time. */
async function closeAllSockets({ websocketServer }: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => {
    for (const socket of websocketServer.clients) socket.terminate();
  }, defaultCloseTimeoutMs);
  const closed = [...websocketServer.clients].map((socket) => {
    socket.close(goingAwayCode);
    return new Promise((resolve) => socket.once('close', resolve));
  });
  await Promise.all(closed);
  clearTimeout(timer);
  websocketServer.close();
}
