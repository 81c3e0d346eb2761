import { isDeepStrictEqual } from 'node:util';
import { type Endpoint, refusalCodes } from '@jangada/contract';
import { BrokenInvariant } from '../invariant.ts';
import { Refusal } from '../refusal.ts';
import { FileResponse } from './file-response.ts';

/** Is told what a response has that its endpoint's contract does not say. The call then fails. */
export type ReportMismatch = (mismatch: string) => void;

/** Fails unless a response is what its endpoint's contract says. */
export function checkResponse(endpoint: Endpoint, body: unknown, report: ReportMismatch): void {
  const { name, file, response } = endpoint;
  if (file !== undefined || body instanceof FileResponse) {
    if (body instanceof FileResponse && file?.includes(body.contentType)) return;
    fail(`${name} answers another file than its contract names`, report);
  }
  const sent: unknown = JSON.parse(JSON.stringify(body));
  const expected = response.safeParse(sent);
  if (!expected.success)
    fail(`${name} answers what its contract excludes: ${expected.error.message}`, report);
  if (!isDeepStrictEqual(sent, expected.data)) fail(`${name} answers more than its contract names`, report);
}

/** Fails instead of a refusal that the endpoint's contract does not name, because no client would expect it. */
export function checkRefusal<T>(
  endpoint: Endpoint | undefined,
  answer: Promise<T>,
  report: ReportMismatch | undefined,
): Promise<T> {
  if (endpoint === undefined || report === undefined) return answer;
  return answer.catch((error: unknown) => {
    if (error instanceof Refusal && !refusalCodes(endpoint).includes(error.code))
      fail(`${endpoint.name} is refused with ${error.code}, which its contract does not name`, report);
    throw error;
  });
}

function fail(mismatch: string, report: ReportMismatch): never {
  report(mismatch);
  throw new BrokenInvariant(mismatch);
}
