import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hostileNames, hostileUrls } from '../../test/hostile-urls.ts';
import { createSelfSignedCertificate } from '../../test/self-signed.ts';
import { inTransaction } from '../db/transaction.ts';
import { createAddressRules } from './address-rules.ts';
import { createGuardedFetch, type GuardedFetch, type GuardedFetchOptions } from './guarded-fetch.ts';

// Users choose the URLs that the gateway calls. None of them may make it call its own network, or wait without end.

const receiverName = 'loja.example';
const { cert, key } = createSelfSignedCertificate(receiverName);
const cleanUps: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of cleanUps.splice(0).reverse()) await close();
});

/** A server that counts the connections to both loopback addresses and never responds. */
let canary: { port: number; visitCount: () => number; close: () => void };

beforeAll(async () => {
  let visitCount = 0;
  const listen = async (host: string, port: number): Promise<TcpServer> => {
    const server = createTcpServer((socket) => {
      visitCount += 1;
      socket.destroy();
    });
    server.listen(port, host);
    await once(server, 'listening');
    return server;
  };
  const first = await listen('127.0.0.1', 0);
  const { port } = first.address() as AddressInfo;
  const servers = [first, await listen('::1', port).catch(() => undefined)];
  canary = { port, visitCount: () => visitCount, close: () => void servers.map((server) => server?.close()) };
});
afterAll(() => canary.close());

function liveFetch(options: Partial<GuardedFetchOptions> & { allowedCidrs?: string[] } = {}): GuardedFetch {
  const { allowedCidrs = [], ...rest } = options;
  // The calls use the canary's port, so that only the address check can stop them.
  const rules = createAddressRules({ mode: 'live', sandboxPublic: false, webhookAllowCidrs: allowedCidrs }, [
    443,
    canary.port,
  ]);
  return openFetch({ rules, ca: cert, ...rest });
}

function sandboxFetch(options: Partial<GuardedFetchOptions> = {}): GuardedFetch {
  return openFetch({
    rules: createAddressRules({ mode: 'sandbox', sandboxPublic: false, webhookAllowCidrs: [] }),
    ca: cert,
    ...options,
  });
}

function openFetch(options: GuardedFetchOptions): GuardedFetch {
  const guarded = createGuardedFetch(options);
  cleanUps.push(() => guarded.close());
  return guarded;
}

async function startReceiver(
  answer: RequestListener,
  { host = '127.0.0.1', tls = false } = {},
): Promise<number> {
  const server: Server = tls ? createTlsServer({ cert, key }, answer) : createHttpServer(answer);
  server.listen(0, host);
  await once(server, 'listening');
  cleanUps.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

/** Returns why a call failed, or `answered` if it did not. */
async function reasonOf(pendingCall: Promise<unknown>): Promise<string> {
  return pendingCall.then(
    () => 'answered',
    (error: { reason?: string }) => error.reason ?? String(error),
  );
}

describe('in production', () => {
  test('at least 150 hostile addresses are all refused, without a connection to this machine', async () => {
    const guarded = liveFetch({ resolve: async (name) => hostileNames[name] ?? [] });
    expect(new Set(hostileUrls).size).toBeGreaterThanOrEqual(150);

    const outcomes = await Promise.all(
      hostileUrls.map(async (hostile) => {
        const url = hostile.replace('{port}', String(canary.port));
        return [url, await reasonOf(guarded.send({ method: 'GET', url }))] as const;
      }),
    );

    const refused = ['forbidden-url', 'forbidden-address', 'name-not-found'];
    expect(outcomes.filter(([, reason]) => !refused.includes(reason))).toEqual([]);
    expect(canary.visitCount()).toBe(0);
  });

  test('the canary receives allowed calls, which proves that it works', async () => {
    const before = canary.visitCount();
    await reasonOf(
      liveFetch({ allowedCidrs: ['127.0.0.1'] }).send({
        method: 'GET',
        url: `https://127.0.0.1:${canary.port}/`,
      }),
    );
    expect(canary.visitCount()).toBe(before + 1);
  });

  test('a name that resolves differently after the check is called at the checked address', async () => {
    const port = await startReceiver((_, response) => response.end('here'), { host: '127.0.0.2', tls: true });
    const answers = [['127.0.0.2'], ['127.0.0.1']];
    const guarded = liveFetch({ allowedCidrs: ['127.0.0.2'], resolve: async () => answers.shift() ?? [] });
    const before = canary.visitCount();

    const answer = await guarded.send({ method: 'GET', url: `https://${receiverName}:${port}/` });
    const second = guarded.send({ method: 'GET', url: `https://${receiverName}:${canary.port}/` });

    expect(String(answer.body)).toBe('here');
    expect(await reasonOf(second)).toBe('forbidden-address');
    expect(canary.visitCount()).toBe(before);
  });

  test('a name with an allowed and a forbidden address is not called', async () => {
    let calls = 0;
    const port = await startReceiver(() => (calls += 1), { host: '127.0.0.2', tls: true });
    const guarded = liveFetch({
      allowedCidrs: ['127.0.0.2'],
      resolve: async () => ['127.0.0.2', '127.0.0.1'],
    });
    expect(await reasonOf(guarded.send({ method: 'GET', url: `https://${receiverName}:${port}/` }))).toBe(
      'forbidden-address',
    );
    expect(calls).toBe(0);
  });

  test('the receiver gets its own name in Host and TLS, and must prove it', async () => {
    const receivedNames: unknown[] = [];
    const port = await startReceiver(
      (request, response) => {
        receivedNames.push(request.headers.host, 'servername' in request.socket && request.socket.servername);
        response.end();
      },
      { tls: true },
    );
    const guarded = liveFetch({ allowedCidrs: ['127.0.0.0/8'], resolve: async () => ['127.0.0.1'] });

    await guarded.send({ method: 'GET', url: `https://${receiverName}:${port}/` });
    const impostor = guarded.send({ method: 'GET', url: `https://banco.example:${port}/` });

    expect(receivedNames).toEqual([`${receiverName}:${port}`, receiverName]);
    expect(await reasonOf(impostor)).toBe('tls-failed');
    expect(
      await reasonOf(
        liveFetch({
          allowedCidrs: ['127.0.0.0/8'],
          ca: createSelfSignedCertificate(receiverName).cert,
          resolve: async () => ['127.0.0.1'],
        }).send({ method: 'GET', url: `https://${receiverName}:${port}/` }),
      ),
    ).toBe('tls-failed');
  });

  test('networks allowed by the operator are called, by TLS only, and no others', async () => {
    const port = await startReceiver((_, response) => response.end('ok'), { tls: true });
    const guarded = liveFetch({
      allowedCidrs: ['127.0.0.0/30', 'fd00::/8'],
      resolve: async (name) => [name === receiverName ? '127.0.0.1' : '127.0.0.9'],
    });
    const send = (url: string) => guarded.send({ method: 'GET', url });

    expect((await send(`https://${receiverName}:${port}/`)).status).toBe(200);
    expect(await reasonOf(send(`https://outra.example:${port}/`))).toBe('forbidden-address');
    expect(await reasonOf(send(`http://127.0.0.1:${port}/`))).toBe('forbidden-url');
  });
});

describe('in the sandbox', () => {
  test('this machine may be called with and without TLS, by address and as localhost, but its certificate must match', async () => {
    const plain = await startReceiver((_, response) => response.end('plain'));
    const secure = await startReceiver((_, response) => response.end('secure'), { tls: true });
    const guarded = sandboxFetch({ resolve: async () => ['127.0.0.1'] });
    const bodyOf = async (url: string) => String((await guarded.send({ method: 'GET', url })).body);

    expect(await bodyOf(`http://127.0.0.1:${plain}/`)).toBe('plain');
    expect(await bodyOf(`http://localhost:${plain}/`)).toBe('plain');
    expect(await bodyOf(`https://loja.localhost:${secure}/`).catch(String)).toContain('tls-failed');
    expect(await reasonOf(guarded.send({ method: 'GET', url: `https://127.0.0.1:${secure}/` }))).toBe(
      'tls-failed',
    );
  });

  test('this machine is not called if the sandbox is open to others', async () => {
    const before = canary.visitCount();
    const rules = createAddressRules({ mode: 'sandbox', sandboxPublic: true, webhookAllowCidrs: [] }, [
      canary.port,
    ]);
    const guarded = openFetch({ rules, resolve: async () => ['127.0.0.1'] });
    for (const url of ['https://127.0.0.1', 'https://localhost', 'https://rebind.example'])
      expect(await reasonOf(guarded.send({ method: 'GET', url: `${url}:${canary.port}/` }))).toBe(
        'forbidden-address',
      );
    expect(canary.visitCount()).toBe(before);
  });

  test('other networks are not called, nor is the public internet without TLS', async () => {
    const guarded = sandboxFetch({ resolve: async () => ['10.0.0.1'] });
    for (const url of [
      'https://10.0.0.1/',
      'https://169.254.169.254/',
      'https://0.0.0.0/',
      'https://intra.example/',
    ])
      expect(await reasonOf(guarded.send({ method: 'GET', url }))).toBe('forbidden-address');
    for (const url of ['http://example.com/', 'http://8.8.8.8/', 'https://8.8.8.8:22/'])
      expect(await reasonOf(guarded.send({ method: 'GET', url }))).toBe('forbidden-url');
  });
});

describe('a response', () => {
  test('is returned with status, text and the sent headers', async () => {
    const port = await startReceiver(async (request, response) => {
      const chunks = await request.toArray();
      response.writeHead(202, { 'x-echo': request.headers['x-given'] });
      response.end(Buffer.concat(chunks));
    });
    const answer = await sandboxFetch().send({
      method: 'POST',
      url: `http://127.0.0.1:${port}/a?b=c`,
      headers: { 'x-given': 'yes' },
      body: 'olá',
    });
    expect([answer.status, answer.headers['x-echo'], String(answer.body), answer.truncated]).toEqual([
      202,
      'yes',
      'olá',
      false,
    ]);
  });

  test('with a redirect is not followed', async () => {
    const before = canary.visitCount();
    const port = await startReceiver((_, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${canary.port}/` }).end();
    });
    expect((await sandboxFetch().send({ method: 'GET', url: `http://127.0.0.1:${port}/` })).status).toBe(302);
    expect(canary.visitCount()).toBe(before);
  });

  test('without end is cut off at 64 kB', async () => {
    const closed = Promise.withResolvers<void>();
    const port = await startReceiver((request, response) => {
      const flood = setInterval(() => response.write(Buffer.alloc(16_384, 'x')), 1);
      request.socket.once('close', () => {
        clearInterval(flood);
        closed.resolve();
      });
    });
    const answer = await sandboxFetch().send({ method: 'GET', url: `http://127.0.0.1:${port}/` });
    expect([answer.body.length, answer.truncated]).toEqual([65_536, true]);
    await closed.promise;
  });

  test.for([
    ['never comes', () => {}],
    ['begins and never ends', (_: unknown, response: { write(text: string): void }) => response.write('a')],
  ] as const)('that %s times out', async ([, answer]) => {
    const port = await startReceiver(answer as RequestListener);
    const guarded = sandboxFetch({ timeoutMs: 100 });
    expect(await reasonOf(guarded.send({ method: 'GET', url: `http://127.0.0.1:${port}/` }))).toBe(
      'timed-out',
    );
  });

  test('that is slow times out: the limit applies to the whole call', async () => {
    const port = await startReceiver((request, response) => {
      const drip = setInterval(() => response.write('.'), 10);
      request.socket.once('close', () => clearInterval(drip));
    });
    expect(
      await reasonOf(
        sandboxFetch({ timeoutMs: 200 }).send({ method: 'GET', url: `http://127.0.0.1:${port}/` }),
      ),
    ).toBe('timed-out');
  });

  test('with oversized headers is refused', async () => {
    const port = await startReceiver((_, response) =>
      response.writeHead(200, { 'x-large': 'a'.repeat(20_000) }).end(),
    );
    expect(await reasonOf(sandboxFetch().send({ method: 'GET', url: `http://127.0.0.1:${port}/` }))).toBe(
      'bad-answer',
    );
  });

  test('from a port where nothing listens is a failed connection', async () => {
    const server = createTcpServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    expect(await reasonOf(sandboxFetch().send({ method: 'GET', url: `http://127.0.0.1:${port}/` }))).toBe(
      'connection-failed',
    );
  });
});

test('no call is made inside a transaction', async () => {
  const guarded = sandboxFetch();
  const db = { transaction: () => ({ execute: (work: (tx: unknown) => unknown) => work({}) }) };
  const deps = { db, clock: { now: () => new Date(0) } } as unknown as Parameters<typeof inTransaction>[0];
  await expect(
    inTransaction(deps, () => guarded.send({ method: 'GET', url: `http://127.0.0.1:${canary.port}/` })),
  ).rejects.toThrow('inside a transaction');
});

test('a request larger than 256 kB is not sent', async () => {
  const url = `http://127.0.0.1:${canary.port}/`;
  await expect(sandboxFetch().send({ method: 'POST', url, body: 'x'.repeat(262_145) })).rejects.toThrow(
    'too large',
  );
});
