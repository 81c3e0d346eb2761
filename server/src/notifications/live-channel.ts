import type { IncomingMessage } from 'node:http';
import websocket from '@fastify/websocket';
import { liveCloseCodes, livePath } from '@jangada/contract';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import { GuessLimit } from '../http/guess-limit.ts';
import { networkOf } from '../http/network-of.ts';
import { type Loop, repeat } from '../jobs/index.ts';
import { ANNOUNCEMENTS_CHANNEL, type Listener, readAnnouncement } from '../outbox/index.ts';
import { Refusal } from '../refusal.ts';
import { LiveHub, type LiveOwner } from './live-hub.ts';
import { UnauthenticatedSockets } from './unauthenticated-sockets.ts';

export type LiveChannelOptions = {
  readonly log: Logger;
  /** Not started yet. */
  readonly listener: Listener;
  /** Whether somebody holds a ticket or a session token, which stays as it is. */
  readonly isKnown: (token: string) => Promise<boolean>;
  /** Returns the owner of a ticket or a session token. Throws UNAUTHENTICATED when there is none. */
  readonly redeem: (token: string) => Promise<LiveOwner>;
  /** Returns those of these sessions that are still live. */
  readonly findLiveSessions: (sessionHashes: readonly Buffer[]) => Promise<Buffer[]>;
  /** PostgreSQL channel that names each session that ended, as its hash in hexadecimal, with `frozen` where that is why. */
  readonly endedSessionsChannel: string;
  /** Failed guesses by network, counted together with those of the API. */
  readonly guesses?: GuessLimit;
  /** For tests: how often sockets are pinged and sessions checked. */
  readonly pingEveryMs?: number;
  readonly checkEveryMs?: number;
  /** For tests: how long a closing socket waits for the client's close frame. */
  readonly partingMs?: number;
};

export type LiveChannel = {
  /** Resolves when messages arrive. Clients that connected before then are asked to reconnect. */
  start(): Promise<void>;
  healthy(): boolean;
  /** To be called before the server closes, and its sockets with it. */
  stop(): Promise<void>;
};

const stopping = 1001;
const missedMessages = 1012;
const tryLater = 1013;
const path = `/api${livePath}`;
const usualPartingMs = 1000;
// More at once could only come from somebody guessing tokens.
const redeemedAtOnce = 16;

/**
 * Mounts `GET /api/notifications/ws?token=`: tells a merchant's open screens what changed, as messages of the contract
 * (`liveMessage`). What a client sends is ignored. To be called before other routes are mounted.
 */
export async function mountLiveChannel(
  server: FastifyInstance,
  options: LiveChannelOptions,
): Promise<LiveChannel> {
  const { log, listener, pingEveryMs = 30_000, checkEveryMs = 60_000 } = options;
  const { guesses = new GuessLimit() } = options;
  const hub = new LiveHub();
  const strangers = new UnauthenticatedSockets();
  let loops: Loop[] = [];
  // A client that offers to upgrade any other call is simply answered.
  Object.assign(server.server, { shouldUpgradeCallback: isLiveUpgrade });
  await server.register(websocket, {
    options: { maxPayload: 1024, perMessageDeflate: false },
    errorHandler: (_error, socket) => socket.terminate(),
    preClose: () => partFromAll(server),
  });
  server.addHook('onResponse', async ({ raw }) => {
    // An upgrade that was refused with an answer: nobody else closes that connection any more.
    if (isLiveUpgrade(raw)) raw.socket.destroySoon();
  });
  server.route({
    method: 'GET',
    url: path,
    // Before a socket is opened. Who still guesses where too many did, or waits on too many doors, gets none.
    onRequest: async ({ ip, query: asked }) => {
      if (guesses.isSuspect(networkOf(ip)))
        await guesses.guard(networkOf(ip), () => refuseUnknown(options, asked));
      if (!strangers.admit(networkOf(ip))) throw new Refusal('OVERLOADED', { retryAfterSeconds: 1 });
    },
    handler: () => {
      throw new Refusal('NOT_FOUND');
    },
    wsHandler: admitter(options, hub, guesses, strangers),
  });
  hear(options, hub);
  return {
    async start() {
      await listener.start();
      hub.closeAll(missedMessages);
      loops = [
        repeat(log, { name: 'live pings', everyMs: pingEveryMs, work: () => pingAll(hub) }),
        repeat(log, { name: 'live sessions', everyMs: checkEveryMs, work: () => closeEnded(options, hub) }),
      ];
    },
    healthy: () => loops.length > 0 && loops.every((loop) => loop.healthy()),
    async stop() {
      await Promise.all([...loops.map((loop) => loop.stop()), listener.stop()]);
    },
  };
}

function isLiveUpgrade({ headers, url }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && url?.split('?')[0] === path;
}

const query = z.object({ token: z.string().min(1).max(200) });

async function refuseUnknown({ isKnown }: LiveChannelOptions, asked: unknown): Promise<void> {
  const { data } = query.safeParse(asked);
  if (data === undefined || !(await isKnown(data.token))) throw new Refusal('UNAUTHENTICATED');
}

type Upgrade = { readonly query: unknown; readonly ip: string };

/** A browser learns of a refusal only by the close code of a socket that was opened first. */
function admitter(
  { redeem, log, partingMs = usualPartingMs }: LiveChannelOptions,
  hub: LiveHub,
  guesses: GuessLimit,
  strangers: UnauthenticatedSockets,
) {
  let redeeming = 0;
  return async (socket: WebSocket, { query: asked, ip }: Upgrade): Promise<void> => {
    const admitted = strangers.enter(socket, networkOf(ip));
    const { data } = query.safeParse(asked);
    if (data === undefined) return part(socket, liveCloseCodes.unauthenticated, partingMs);
    if (redeeming >= redeemedAtOnce) return part(socket, tryLater, partingMs);
    redeeming += 1;
    try {
      const { owner, closedBy } = await hub.lookUp(() => redeem(data.token));
      if (socket.readyState !== socket.OPEN) return;
      if (closedBy !== undefined) part(socket, closedBy, partingMs);
      else if (hub.add(socket, owner)) admitted();
      else part(socket, liveCloseCodes.tooMany, partingMs);
    } catch (error) {
      const isRefused = error instanceof Refusal;
      if (isRefused) guesses.count(networkOf(ip));
      else log.error({ err: error }, 'a live channel could not be opened');
      part(socket, isRefused ? liveCloseCodes.unauthenticated : tryLater, partingMs);
    } finally {
      redeeming -= 1;
    }
  };
}

/** Starts the closing handshake, and waits a moment for the answer. */
function part(socket: WebSocket, code: number, partingMs: number): void {
  const timer = setTimeout(() => socket.terminate(), partingMs);
  socket.once('close', () => clearTimeout(timer));
  socket.close(code);
}

function hear({ listener, endedSessionsChannel }: LiveChannelOptions, hub: LiveHub): void {
  listener.on(ANNOUNCEMENTS_CHANNEL, (payload) => {
    if (hub.isEmpty()) return;
    for (const { merchantId, message } of readAnnouncement(payload)) hub.tell(merchantId, message);
  });
  listener.on(endedSessionsChannel, (ended) => {
    const [session = '', why] = ended.split(' ');
    hub.closeSession(session, liveCloseCodes[why === 'frozen' ? 'frozen' : 'unauthenticated']);
  });
  // Screens reload everything when they reconnect.
  listener.onGap(() => hub.closeAll(missedMessages));
}

async function pingAll(hub: LiveHub): Promise<number> {
  hub.ping();
  return 0;
}

/** Sessions announce their end; this finds those that did not, because they expired or the message was lost. */
async function closeEnded({ findLiveSessions }: LiveChannelOptions, hub: LiveHub): Promise<number> {
  const sessions = hub.sessions();
  if (sessions.length === 0) return 0;
  const live = new Set((await findLiveSessions(sessions)).map((hash) => hash.toString('hex')));
  for (const session of sessions.map((hash) => hash.toString('hex')))
    if (!live.has(session)) hub.closeSession(session, liveCloseCodes.unauthenticated);
  return 0;
}

/** Starts the closing handshake on every socket, and waits a moment for the answers. */
async function partFromAll({ websocketServer }: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => {
    for (const socket of websocketServer.clients) socket.terminate();
  }, usualPartingMs);
  const closed = [...websocketServer.clients].map((socket) => {
    socket.close(stopping);
    return new Promise((resolve) => socket.once('close', resolve));
  });
  await Promise.all(closed);
  clearTimeout(timer);
  websocketServer.close();
}
