/** A page as it is measured: its address, and what it is called. */
export type MeasuredPage = { readonly name: string; readonly path: string };

/** Makes two charges of the sandbox's demo merchant, pays one, and answers the pages that their payers see. */
export async function makePayerPages(origin: string): Promise<MeasuredPage[]> {
  const { token } = await call(origin, '/login', { username: 'lojista', password: 'lojista-demo' });
  const charge = () => call(origin, '/pix/new', { amount: 1250, expires_in: 3600, image: false }, token);
  const [waiting, paid] = [await charge(), await charge()];
  const { bankUrl } = await call(origin, '/settings');
  await fetch(`${bankUrl}/sandbox/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ brCode: paid['content'] }),
  });
  const [open, over] = [pathOf(waiting), pathOf(paid)];
  while ((await (await fetch(`${origin}${over}/status`)).text()).includes('"waiting"'));
  return [
    { name: '/pagar, waiting', path: open },
    { name: '/pagar, paid', path: over },
    { name: '/comprovante', path: over.replace('/pagar/', '/comprovante/') },
  ];
}

function pathOf(charge: Record<string, unknown>): string {
  return new URL(String(charge['checkout_url'])).pathname;
}

async function call(
  origin: string,
  path: string,
  body?: object,
  token?: unknown,
): Promise<Record<string, unknown>> {
  const answer = await fetch(`${origin}/api${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}
