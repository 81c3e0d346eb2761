// Another provider of the API: the dashboard must work with any server that follows the specification. This server
// implements the specification's calls with fixed data, in the shapes that the specification allows.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { json as jsonOf } from 'node:stream/consumers';
import { ignoreAbortedRequests } from '../server/test/ignore-aborted-requests.ts';
import {
  feed,
  findAccount,
  pendingKyc,
  photo,
  stats,
  taxes,
  users,
  withdrawals,
} from './another-provider-data.ts';
import { close, listen } from './local-server.ts';

/** The form of a provider's responses where the specification leaves a choice. */
export type Shape = {
  readonly stats: 'flat' | 'nested';
  readonly feed: 'data' | 'transactions' | 'bare';
  readonly names: 'snake' | 'camel';
  /** The field with the BR Code in the response to a new payment, and whether that response has an id. */
  readonly payment: 'text' | 'content' | 'content without id';
  readonly users: 'bare' | 'users';
  readonly refusal: 'message' | 'error';
  /** The body of responses that need none. */
  readonly emptyResponse: 'nothing' | 'success';
  /** Whether responses include fees, taxes and account pictures. */
  readonly hasDetails: boolean;
};

export type Provider = {
  readonly url: string;
  readonly liveUrl: string;
  /** Received calls that are not in the specification. */
  readonly unknownCalls: Set<string>;
  /** All received calls. */
  readonly calls: ProviderCall[];
  /** Resets the state, and responds in this shape from now on. */
  reset(shape: Shape): void;
  /** Makes this call fail from now on. */
  fail(call: string, status: number, body: string): void;
  /** Sends a notification to every open live channel. */
  notify(title: string, body: string): void;
  /** The token with which each live channel was opened, in order. */
  readonly channels: string[];
  stop(): Promise<void>;
};

export type ProviderCall = {
  /** Method and path, such as `POST /login`. */
  readonly name: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
};

type ProviderResponse = { status?: number; body?: unknown };
/** The provider's state, which its calls change. */
type State = ReturnType<typeof newState>;

const newState = (shape: Shape) => ({
  shape,
  key: null as string | null,
  hasPin: false,
  avatar: '',
  pending: [...pendingKyc],
  /** The fields of the last change to a user. */
  changedFields: null as Record<string, unknown> | null,
});

const PREFIX = '/provedor/v1';
const PHOTO = '/fotos/marina.png';

/**
 * Starts the server of another provider. It knows the calls of the specification's section 7, and responds with 404 to
 * all other calls.
 */
export async function startProvider(): Promise<Provider> {
  let state = newState(shapes.plain);
  const failures = new Map<string, { status: number; body: string }>();
  const unknownCalls = new Set<string>();
  const calls: ProviderCall[] = [];
  const channels: string[] = [];
  const sockets = new Set<Duplex>();
  const server = createServer(
    ignoreAbortedRequests(async (request, response) => {
      const url = new URL(request.url ?? '', 'http://provider');
      response.setHeader('access-control-allow-origin', '*');
      if (request.method === 'OPTIONS') return respondToPreflight(response);
      if (url.pathname === PHOTO) return response.writeHead(200, { 'content-type': 'image/png' }).end(photo);
      const name = `${request.method} ${url.pathname.replace(PREFIX, '')}`;
      const call = { name, query: url.searchParams, headers: request.headers, body: await bodyOf(request) };
      calls.push(call);
      const failure = failures.get(name);
      if (failure !== undefined) return response.writeHead(failure.status).end(failure.body);
      const handler = handlerOf(name);
      if (handler === undefined) unknownCalls.add(name);
      const { status = 200, body } = handler?.(call, state) ?? refusal(state, 404, 'Not Found');
      if (body === undefined) return response.writeHead(204).end();
      return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }),
  );
  server.on('upgrade', (request, socket) => {
    channels.push(new URL(request.url ?? '', 'http://provider').searchParams.get('token') ?? '');
    sockets.add(openWebSocket(request, socket));
  });
  const origin = await listen(server);
  return {
    url: `${origin}${PREFIX}`,
    liveUrl: `${origin.replace('http', 'ws')}/canal`,
    unknownCalls,
    calls,
    channels,
    reset(shape) {
      state = newState(shape);
      failures.clear();
      unknownCalls.clear();
      calls.length = 0;
    },
    fail: (call, status, body) => void failures.set(call, { status, body }),
    notify(title, body) {
      const notification = { id: 7, title, body, timestamp: new Date().toISOString(), read: false };
      for (const socket of sockets)
        socket.write(webSocketFrame(JSON.stringify({ type: 'notification', notification })));
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await close(server);
    },
  };
}

/** Three providers that differ wherever the specification leaves a choice. */
export const shapes = {
  plain: {
    stats: 'flat',
    feed: 'data',
    names: 'snake',
    payment: 'text',
    users: 'bare',
    refusal: 'message',
    emptyResponse: 'nothing',
    hasDetails: false,
  },
  nested: {
    stats: 'nested',
    feed: 'transactions',
    names: 'camel',
    payment: 'content',
    users: 'users',
    refusal: 'error',
    emptyResponse: 'success',
    hasDetails: true,
  },
  spare: {
    stats: 'nested',
    feed: 'bare',
    names: 'camel',
    payment: 'content without id',
    users: 'bare',
    refusal: 'error',
    emptyResponse: 'nothing',
    hasDetails: true,
  },
} as const satisfies Record<string, Shape>;

/** Responds to the browser's preflight request (CORS): only headers of the specification's calls are allowed. */
function respondToPreflight(response: ServerResponse): void {
  response
    .writeHead(204, {
      'access-control-allow-methods': 'GET, POST, PUT, DELETE',
      'access-control-allow-headers': 'authorization, content-type, x-api-key',
      'access-control-max-age': '600',
    })
    .end();
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  if (request.headers['content-type']?.startsWith('application/json') !== true) {
    request.resume();
    await once(request, 'end');
    return {};
  }
  const body: unknown = await jsonOf(request);
  return { ...(body as object) };
}

type Handler = (call: ProviderCall, state: State) => ProviderResponse;

/**
 * Returns the handler of a call, which refuses callers without a valid token or API key; undefined for an unknown call.
 */
function handlerOf(name: string): Handler | undefined {
  const entry = Object.entries(handlers).find(([pattern]) =>
    new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`).test(name),
  );
  if (entry === undefined) return undefined;
  const [pattern, handler] = entry;
  if (/ \/(login|register)$/.test(pattern)) return handler;
  return (call, state) => {
    const isAuthorized = pattern.includes('/pix/')
      ? call.headers['x-api-key'] === state.key
      : accountOf(call) !== undefined;
    return isAuthorized ? handler(call, state) : refusal(state, 401, 'Token inválido');
  };
}

const successOf = ({ shape }: State): ProviderResponse =>
  shape.emptyResponse === 'nothing' ? {} : { body: { success: true } };

/** The response that refuses a call. */
function refusal({ shape }: State, status: number, message: string): ProviderResponse {
  return {
    status,
    body: shape.refusal === 'message' ? { message } : { success: false, error: { code: 'X', message } },
  };
}

/** Returns the account of the caller, whose token contains the username. */
function accountOf({ headers }: ProviderCall) {
  const name = headers.authorization?.replace('Bearer token-', '');
  return name === undefined ? undefined : findAccount(name);
}

function profileOf(call: ProviderCall, state: State) {
  const { hasDetails, names } = state.shape;
  const user = { ...accountOf(call), avatar: state.avatar, ...(hasDetails && { taxes }) };
  return withFieldCase(user, names);
}

const camelCaseNames = new Map([
  ['created_at', 'createdAt'],
  ['updated_at', 'updatedAt'],
  ['completed_at', 'completedAt'],
  ['pix_key', 'pixKey'],
  ['api_active', 'apiActive'],
]);

/** Returns a record with its field names in snake or in camel case. */
function withFieldCase(record: object, names: Shape['names']) {
  if (names === 'snake') return record;
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [camelCaseNames.get(key) ?? key, value]),
  );
}

const handlers: Record<string, Handler> = {
  'POST /login': ({ body: { username, password } }, state) => {
    if (username === 'sem-token') return { body: {} };
    if (password !== 'segredo-bom') return refusal(state, 401, 'Credenciais inválidas');
    return { body: { token: `token-${username}` } };
  },
  'POST /register': ({ body }, state) =>
    body['username'] === 'ocupado'
      ? refusal(state, 409, 'Nome de usuário já existe')
      : { body: { token: 'token-novo', user: findAccount('novo') } },
  'GET /authed/profile': (call, state) => ({ body: { user: profileOf(call, state) } }),
  'GET /authed/check-withdrawal-pin': (_, { hasPin }) => ({ body: { has_pin: hasPin } }),
  'POST /authed/set-withdrawal-pin': ({ body }, state) => {
    if (body['current_password'] !== 'segredo-bom') return refusal(state, 400, 'Senha atual incorreta');
    state.hasPin = true;
    return successOf(state);
  },
  'GET /authed/apikey': (_, { key }) => ({ body: { hasKey: key !== null, active: key !== null, key } }),
  'POST /authed/apikey': (_, state) => {
    state.key = 'chave-de-outro-provedor-0123456789';
    return { body: { apiKey: state.key, active: true } };
  },
  'DELETE /authed/apikey': (_, state) => {
    state.key = null;
    return successOf(state);
  },
  'GET /authed/feed/transactions': ({ query }, { shape }) => {
    const matching = feed.filter(({ status }) => !query.has('status') || status === query.get('status'));
    const from = Number(query.get('offset') ?? 0);
    const page = matching.slice(from, from + Number(query.get('limit') ?? 10));
    const list = page.map((transaction) => withFieldCase(transaction, shape.names));
    if (shape.feed === 'bare') return { body: list };
    return { body: shape.feed === 'data' ? { data: list } : { transactions: list, total: matching.length } };
  },
  'GET /authed/wallet/stats': (_, { shape }) => ({ body: stats[shape.stats] }),
  'GET /authed/user/taxes': (_, { shape }) => ({
    body: { success: true, data: shape.hasDetails ? taxes : {} },
  }),
  'POST /authed/user/avatar': ({ headers }, state) => {
    if (!headers['content-type']?.startsWith('multipart/')) return refusal(state, 400, 'Arquivo ausente');
    if (state.shape.hasDetails) state.avatar = PHOTO;
    return { body: { success: true } };
  },
  'POST /authed/notifications/register': (_, state) => successOf(state),
  'GET /authed/out-fees': (_, { shape }) => ({ body: shape.hasDetails ? { outFee: 0.8 } : {} }),
  'POST /authed/withdraw': ({ body }, state) =>
    body['withdrawal_pin'] === '1357'
      ? { body: { message: 'Saque registrado no provedor' } }
      : refusal(state, 400, 'PIN de saque incorreto'),
  'GET /authed/withdrawals': ({ query }, { shape }) => {
    const status = query.get('status')?.toUpperCase();
    const list = withdrawals.filter((withdrawal) => status === undefined || withdrawal.status === status);
    const body = {
      withdrawals: list.map((withdrawal) => withFieldCase(withdrawal, shape.names)),
      total: list.length,
      limit: 10,
    };
    return { body };
  },
  'GET /authed/withdrawals/{id}': ({ name }, state) => {
    const found = withdrawals.find(({ id }) => name.endsWith(`/${id}`));
    if (found === undefined) return refusal(state, 404, 'Saque não encontrado');
    const { amount_cents, ...withdrawal } = found;
    return { body: withFieldCase({ ...withdrawal, amount: amount_cents / 100 }, state.shape.names) };
  },
  'POST /authed/verify/cpf': (_, state) => successOf(state),
  'GET /admin/users/pending-kyc': (_, { pending }) => ({ body: pending }),
  'POST /admin/users/kyc/accept/{userId}': ({ name }, state) => decideOnDocuments(name, state),
  'POST /admin/users/kyc/reject/{userId}': ({ name, body }, state) =>
    body['reason'] === undefined ? refusal(state, 400, 'Motivo ausente') : decideOnDocuments(name, state),
  'GET /admin/user/basics': (_, { shape }) => {
    const list = users.map((user) => withFieldCase(user, shape.names));
    return { body: shape.users === 'bare' ? list : { users: list } };
  },
  'GET /admin/users/{id}': ({ name }, { shape, changedFields }) => {
    const found = users.find(({ id }) => name.endsWith(`/${id}`));
    return {
      body: {
        user: withFieldCase({ ...found, ...changedFields, ...(shape.hasDetails && { taxes }) }, shape.names),
      },
    };
  },
  'PUT /admin/users/{id}': ({ body }, state) => {
    state.changedFields = body;
    return successOf(state);
  },
  'POST /pix/new': (_, { shape }) => {
    const picture = photo.toString('base64');
    if (shape.payment === 'content without id') return { body: { content: BR_CODE, image: picture } };
    return { body: { id: 'pix-novo', [shape.payment]: BR_CODE, image: `data:image/png;base64,${picture}` } };
  },
  'GET /pix/status/{id}': () => ({
    body: { id: 'pix-novo', status: 'pending', amount: 25.9, created_at: new Date().toISOString() },
  }),
};

/** The BR Code of every payment that this provider creates. */
export const BR_CODE =
  '00020126580014br.gov.bcb.pix0136outro-provedor5204000053039865406025.905802BR6304ABCD';

/** Removes the documents that an administrator approved or rejected from the list of pending submissions. */
function decideOnDocuments(name: string, state: State): ProviderResponse {
  state.pending = state.pending.filter(({ user }) => !name.endsWith(`/${user.id}`));
  return successOf(state);
}

/** Opens the live channel, with the part of the WebSocket protocol (RFC 6455) that short texts need. */
function openWebSocket(request: IncomingMessage, socket: Duplex): Duplex {
  const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = createHash('sha1').update(key).digest('base64');
  const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
  socket.write(`${head.join('\r\n')}\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
  socket.on('error', () => {});
  socket.resume();
  return socket;
}

function webSocketFrame(text: string): Buffer {
  const content = Buffer.from(text);
  const head =
    content.length < 126 ? [0x81, content.length] : [0x81, 126, content.length >> 8, content.length & 255];
  return Buffer.concat([Buffer.from(head), content]);
}
