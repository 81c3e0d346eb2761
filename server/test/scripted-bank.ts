import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { readConfig } from '../src/config.ts';
import { connectBank, type Psp } from '../src/psp/index.ts';

/** A response: text as it is, anything else as JSON. `cut`: the connection is closed instead. */
export type Said = { readonly status?: number; readonly body?: unknown; readonly cut?: boolean };
export type Asked = { readonly method: string; readonly path: string; readonly body: string };

/** A bank with scripted responses, for cases that Banco Sandbox never produces. */
export type ScriptedBank = {
  readonly url: string;
  asked: Asked[];
  /** The response to a call, by the beginning of `METHOD path`. */
  says: Record<string, Said>;
  connect(settings?: Readonly<Record<string, string>>): Psp;
  stop(): void;
};

export async function startScriptedBank(): Promise<ScriptedBank> {
  const server = createServer(async (request, response) => {
    const call = await read(request);
    bank.asked.push(call);
    if (call.path === '/oauth/token' && bank.says['POST /oauth/token'] === undefined)
      return response.end(JSON.stringify({ access_token: 'token', expires_in: 3600 }));
    const named = `${call.method} ${call.path}`;
    const said = Object.entries(bank.says).find(([beginning]) => named.startsWith(beginning))?.[1] ?? {};
    if (said.cut) return response.socket?.destroy();
    response.writeHead(said.status ?? 200, { location: '/elsewhere' });
    return response.end(typeof said.body === 'string' ? said.body : JSON.stringify(said.body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const bank: ScriptedBank = {
    url,
    asked: [],
    says: {},
    connect: (settings = {}) =>
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
      ),
    stop: () => void server.close(),
  };
  return bank;
}

async function read(request: IncomingMessage): Promise<Asked> {
  let body = '';
  for await (const chunk of request) body += chunk;
  return { method: request.method ?? '', path: request.url ?? '', body };
}
