/** Calls the gateway at `origin`, as whom a token says. */
export async function call(
  origin: string,
  path: string,
  body?: object,
  token?: string,
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

/** A session of the sandbox's demo merchant. */
export async function openSession(origin: string): Promise<string> {
  const { token } = await call(origin, '/login', { username: 'lojista', password: 'lojista-demo' });
  return String(token);
}
