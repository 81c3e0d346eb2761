import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import type { TestBank } from './bank.ts';

/** A bank that says what it was told: its refusals repeat the credentials or the token that came with the call. */
export type EchoingBank = {
  readonly apiUrl: string;
  /** The tokens that it has given. */
  readonly tokens: readonly string[];
  /** Which calls it refuses from now on: none, all but those for a token, or all. The others reach Banco Sandbox. */
  refuse(calls: 'none' | 'api' | 'all'): void;
  close(): Promise<void>;
};

const tokenAnswer = z.object({ access_token: z.string() });

/** Starts such a bank in front of Banco Sandbox. */
export async function startEchoingBank(bank: TestBank): Promise<EchoingBank> {
  const tokens: string[] = [];
  let refused: Parameters<EchoingBank['refuse']>[0] = 'none';
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const body = Buffer.concat(await request.toArray()).toString();
    const isForToken = url === '/oauth/token';
    if (refused === 'all' || (refused === 'api' && !isForToken)) {
      response.writeHead(isForToken || refused === 'all' ? 401 : 400, { 'content-type': 'application/json' });
      return response.end(JSON.stringify(refusalOf(`${whatCameWith(headers)} ${body}`)));
    }
    const { authorization = '', 'content-type': type } = headers;
    const answer = await fetch(bank.apiUrl + url, {
      method,
      headers: { authorization, ...(type !== undefined && { 'content-type': type }) },
      ...(body !== '' && { body }),
    });
    const text = await answer.text();
    if (isForToken && answer.ok) tokens.push(tokenAnswer.parse(JSON.parse(text)).access_token);
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    return response.end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    apiUrl: `http://127.0.0.1:${port}`,
    tokens,
    refuse(calls) {
      refused = calls;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function whatCameWith({ authorization = '' }: IncomingHttpHeaders): string {
  const [, basic] = /^Basic (.+)$/.exec(authorization) ?? [];
  return basic === undefined ? authorization : `${authorization} ${Buffer.from(basic, 'base64')}`;
}

/** The same words in each place where banks put them. */
function refusalOf(words: string) {
  return {
    type: 'https://pix.bcb.gov.br/api/v2/error/CobOperacaoInvalida',
    ...{ title: words, detail: words, error: words, error_description: words, message: words },
    violacoes: [{ razao: words, propriedade: words }],
  };
}
