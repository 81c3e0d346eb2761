import { login } from '@jangada/contract';
import type { Client } from 'undici';

/** Returns the token of a new session. */
export async function signIn(client: Client, username: string, password: string): Promise<string> {
  const answer = await client.request({
    method: 'POST',
    path: '/api/login',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  return login.response.parse(await answer.body.json()).token;
}

/** The body of a response. @throws if it is a refusal */
export async function get(client: Client, token: string, path: string): Promise<string> {
  const { statusCode, body } = await client.request({
    method: 'GET',
    path,
    headers: { authorization: `Bearer ${token}` },
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`GET ${path}: ${statusCode} ${text}`);
  return text;
}
