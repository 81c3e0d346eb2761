import { request } from 'node:http';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { givenBank, givenCharge } from '../test/bank.ts';

/** Returns the status of a call with a given Host header, which fetch does not allow to set. */
function statusWithHost(port: number, host: string, path = '/sandbox/clock'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path, headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    call.on('error', reject).end();
  });
}

test('a Host or Origin of another site is refused', async () => {
  const bank = await givenBank();
  const { port } = bank.sandbox;
  expect(await statusWithHost(port, `localhost:${port}`)).toBe(200);
  expect(await statusWithHost(port, `evil.example:${port}`)).toBe(403);
  expect(await statusWithHost(port, `evil.example:${port}`, '/')).toBe(403);
  expect(await statusWithHost(port, `bank.internal:${port}`, '/v2/webhook')).toBe(401);
  const move = (origin: string) => bank.call('POST', '/sandbox/clock', { advanceSeconds: 0 }, { origin });
  expect((await move(`http://127.0.0.1:${port}`)).status).toBe(200);
  expect((await move('https://evil.example')).status).toBe(403);
  expect((await move('null')).status).toBe(403);
});

test('a body that is not JSON is refused', async () => {
  const bank = await givenBank();
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    const { status } = await fetch(`${bank.sandbox.url}/sandbox/clock`, {
      method: 'POST',
      body: '{"advanceSeconds":1}',
      headers: { 'content-type': type },
    });
    expect(status).toBe(415);
  }
});

test('the payload behind a code is signed and verifies with the published key set', async () => {
  const bank = await givenBank();
  const { txid } = await givenCharge(bank, '10.00', { solicitacaoPagador: 'Pagamento a Loja' });
  const { location } = (await bank.api('GET', `/v2/cob/${txid}`)).body;
  const { body, headers } = await bank.call('GET', location.slice(location.indexOf('/')));
  expect(headers.get('content-type')).toBe('application/jose');
  const keys = createRemoteJWKSet(new URL(`${bank.sandbox.url}/.well-known/jwks.json`));
  const { payload, protectedHeader } = await jwtVerify(body, keys);
  expect(protectedHeader).toMatchObject({
    alg: 'RS256',
    jku: `${bank.sandbox.publicUrl}/.well-known/jwks.json`,
  });
  expect(payload).toMatchObject({
    txid,
    status: 'ATIVA',
    valor: { original: '10.00' },
    solicitacaoPagador: 'Pagamento a Loja',
  });
  expect((await bank.call('GET', '/.well-known/jwks.json')).body.keys[0]).not.toHaveProperty('d');
});

test('a second bank on the same address says why it does not start', async () => {
  const bank = await givenBank();
  await expect(givenBank({ port: bank.sandbox.port })).rejects.toThrow('EADDRINUSE');
});
