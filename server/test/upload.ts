import { FormData, fetch } from 'undici';
import type { ApiAnswer, TestGateway } from './gateway.ts';

type By = { readonly token?: string };

const headersOf = ({ token }: By): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

/** Uploads files as a browser does, by field name. The path is relative to /api. */
export async function upload(
  { url }: Pick<TestGateway, 'url'>,
  path: string,
  files: Readonly<Record<string, Buffer>>,
  by: By,
): Promise<ApiAnswer> {
  const form = new FormData();
  for (const [field, bytes] of Object.entries(files))
    form.append(field, new File([Uint8Array.from(bytes)], `${field}.png`, { type: 'image/png' }));
  const response = await fetch(`${url}/api${path}`, { method: 'POST', headers: headersOf(by), body: form });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.json(),
  };
}

/** Downloads a file. The path is relative to /api. */
export async function download(
  { url }: Pick<TestGateway, 'url'>,
  path: string,
  by: By = {},
): Promise<{ status: number; headers: Record<string, string>; bytes: Buffer }> {
  const response = await fetch(`${url}/api${path}`, { headers: headersOf(by) });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: Object.fromEntries(response.headers), bytes };
}
