import { sleep } from '../call.ts';
import { type FeedEvent, signWebhook } from '../index.ts';
import { CommandFailure, USAGE_EXIT_CODE } from './failure.ts';
import { isPrivateHost } from './private-address.ts';

/** The receiver to which events are forwarded, and the secret that signs them. */
export type ForwardTarget = {
  readonly url: string;
  readonly secret: string;
  readonly signal?: AbortSignal | undefined;
  /** Called after each attempt. */
  readonly onAttempt: (attempt: ForwardAttempt) => void;
};

export type ForwardAttempt = {
  /** The receiver's HTTP status; undefined if it did not respond. */
  readonly status: number | undefined;
  /** Why there was no response. */
  readonly problem: string | undefined;
  readonly durationMs: number;
  readonly isAccepted: boolean;
  readonly willRetry: boolean;
};

/** The gateway waits this long for a response to its own webhooks, so a slow receiver shows up here too. */
const timeoutMs = 15_000;
/** Much shorter than the gateway's pauses between attempts, because a developer watches the terminal. */
const retryDelaysMs = [500, 1500];

/** Sends an event with the body and headers that the gateway would send. Returns whether the receiver accepted it. */
export async function forward(event: FeedEvent, receiver: ForwardTarget): Promise<boolean> {
  const payload = JSON.stringify(event.data);
  for (let retryCount = 0; ; retryCount += 1) {
    const result = await post(event.id, payload, receiver);
    const waitMs = retryDelaysMs[retryCount];
    const isAccepted = result.status !== undefined && result.status >= 200 && result.status < 300;
    // Only a missing response, a 5xx and a 429 are retried. After any other status, the receiver would refuse again.
    const isTransient = result.status === undefined || result.status >= 500 || result.status === 429;
    const willRetry = !isAccepted && isTransient && waitMs !== undefined && receiver.signal?.aborted !== true;
    receiver.onAttempt({ ...result, isAccepted, willRetry });
    if (!willRetry) return isAccepted;
    if (!(await sleep(waitMs, receiver.signal))) return false;
  }
}

type PostResult = Pick<ForwardAttempt, 'status' | 'problem' | 'durationMs'>;

async function post(
  id: string,
  payload: string,
  { url, secret, signal }: ForwardTarget,
): Promise<PostResult> {
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Jangada-Webhook/1',
    ...(await signWebhook({ payload, secret, id })),
  };
  const abortController = new AbortController();
  const abort = () => abortController.abort();
  const timer = setTimeout(abort, timeoutMs);
  signal?.addEventListener('abort', abort);
  const startedAt = performance.now();
  const durationMs = () => Math.round(performance.now() - startedAt);
  try {
    const request = {
      method: 'POST',
      headers,
      body: payload,
      redirect: 'manual',
      signal: abortController.signal,
    } as const;
    const response = await fetch(url, request);
    await response.body?.cancel();
    return { status: response.status, problem: undefined, durationMs: durationMs() };
  } catch (error) {
    const problem = abortController.signal.aborted ? 'sem resposta' : describeProblem(error);
    return { status: undefined, problem, durationMs: durationMs() };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

const problemByCode: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'ninguém atende',
  ENOTFOUND: 'nome sem endereço',
  ECONNRESET: 'conexão cortada',
  UND_ERR_SOCKET: 'conexão cortada',
};

function describeProblem(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';
  return problemByCode[code] ?? 'sem resposta';
}

/**
 * Returns the URL to which events are forwarded. Events contain data of payers, so the URL must be on a private network
 * unless `--allow-public` was given.
 */
export async function readTarget(text: string | undefined, allowPublic: boolean): Promise<string> {
  if (text === undefined)
    throw new CommandFailure(
      'Diga para onde encaminhar: --forward-to http://localhost:4000/webhooks',
      USAGE_EXIT_CODE,
    );
  const startsWithPort = /^\d+([/?]|$)/.test(text);
  const hostAndPath = startsWithPort ? `localhost:${text}` : text;
  const address = hostAndPath.includes('://') ? hostAndPath : `http://${hostAndPath}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new CommandFailure(
      `--forward-to: ${text} não é um endereço como http://localhost:4000/webhooks.`,
      USAGE_EXIT_CODE,
    );
  if (!allowPublic && !(await isPrivateHost(url)))
    throw new CommandFailure(
      `${url.host} não é desta máquina nem da sua rede, e os eventos trazem dados de quem paga. Se é isso mesmo, repita com --allow-public.`,
      USAGE_EXIT_CODE,
    );
  return url.href;
}
