import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { readConfig } from '../src/config.ts';
import { connectBank, type Psp } from '../src/psp/index.ts';

/** A response. A body that is not text is sent as JSON. `cut`: the connection is closed instead. */
export type ScriptedResponse = { readonly status?: number; readonly body?: unknown; readonly cut?: boolean };
export type RecordedCall = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

/** A bank with scripted responses, for cases that Banco Sandbox never produces. */
export type ScriptedBank = {
  readonly url: string;
  /** All calls so far, also those for a token. */
  calls: RecordedCall[];
  /** The response to each call whose `METHOD path` begins with the key; other calls get an empty 200. */
  responses: Record<string, ScriptedResponse | ((call: RecordedCall) => ScriptedResponse)>;
  connect(settings?: Readonly<Record<string, string>>, options?: Parameters<typeof connectBank>[1]): Psp;
  stop(): void;
};

export async function startScriptedBank(): Promise<ScriptedBank> {
  const server = createServer(async (request, response) => {
    const call = await read(request);
    bank.calls.push(call);
    if (call.path === '/oauth/token' && bank.responses['POST /oauth/token'] === undefined)
      return response.end(JSON.stringify({ access_token: 'token', expires_in: 3600 }));
    const methodAndPath = `${call.method} ${call.path}`;
    const answer =
      Object.entries(bank.responses).find(([beginning]) => methodAndPath.startsWith(beginning))?.[1] ?? {};
    const scripted = typeof answer === 'function' ? answer(call) : answer;
    if (scripted.cut) return response.socket?.destroy();
    response.writeHead(scripted.status ?? 200, { location: '/elsewhere' });
    return response.end(typeof scripted.body === 'string' ? scripted.body : JSON.stringify(scripted.body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const bank: ScriptedBank = {
    url,
    calls: [],
    responses: {},
    connect: (settings = {}, options = {}) =>
      connectBank(
        readConfig({
          PSP: 'efi',
          PUBLIC_URL: 'https://pix.example',
          PSP_BASE_URL: `${url}/v2`,
          PSP_TOKEN_URL: `${url}/oauth/token`,
          PSP_CLIENT_ID: 'us',
          PSP_CLIENT_SECRET: 'secret',
          PIX_KEY: 'pix@jangada.example',
          ...settings,
        }),
        options,
      ),
    stop: () => void server.close(),
  };
  return bank;
}

async function read(request: IncomingMessage): Promise<RecordedCall> {
  let body = '';
  for await (const chunk of request) body += chunk;
  return { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
}
