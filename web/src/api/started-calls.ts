/** The first calls of a screen, sent as one batch by the first-paint script before the app's own scripts have loaded. */
type StartedCalls = {
  readonly token: string;
  /** The paths, with their query strings, whose answers nobody has taken yet. */
  paths: string[];
  readonly batch: Promise<{ readonly status: number; readonly text: string }>;
  /** When the answer arrived, on the clock of `performance.now()`. */
  arrivedMs?: number;
  answers?: Promise<(path: string) => Response | undefined>;
};

declare global {
  interface Window {
    /**
     * Starts the calls of the screen at a URL (path and query string) for the stored user, if one is known. Set by the
     * first-paint script.
     */
    startCalls?: (token: string, url: string, user: string | null) => void;
    startedCalls?: StartedCalls | undefined;
    /** When calls were last started, on the clock of `performance.now()`. */
    callsStartedMs?: number;
  }
}

/** An answer that nobody has taken for so long is no longer used: it may be outdated. */
const MAX_AGE_MS = 10_000;

/** Starts the first calls of the screen that opens after a sign-in. Its role is not known yet; most are merchants. */
export function startCallsAfterSignIn(token: string): void {
  if (typeof window === 'undefined') return;
  window.startCalls?.(token, new URLSearchParams(location.search).get('from') ?? '/dashboard', null);
}

/**
 * The answer to a call that was started already with this token, as if the call had been sent alone; undefined if the
 * call has to be sent. Each answer is given once.
 */
export function takeStartedCall(
  path: string,
  token: string | null,
): Promise<Response | undefined> | undefined {
  const started = typeof window === 'undefined' ? undefined : window.startedCalls;
  if (started === undefined || started.token !== token || !started.paths.includes(path)) return undefined;
  started.paths = started.paths.filter((other) => other !== path);
  if (performance.now() - (started.arrivedMs ?? Number.POSITIVE_INFINITY) > MAX_AGE_MS) return undefined;
  started.answers ??= answersOf(started);
  return started.answers.then((answerTo) => answerTo(path));
}

/**
 * Reads the answer to the batch. What refused the whole batch would have refused each of its calls, but public ones. Any
 * other answer comes from a gateway that lacks the call for batches.
 */
async function answersOf({ batch }: StartedCalls): Promise<(path: string) => Response | undefined> {
  const { status, text } = await batch;
  if (status === 401 || status === 429 || status >= 500) return () => new Response(text, { status });
  const answers = status === 200 ? answersIn(text) : [];
  return (path) => {
    const answer = answers.find((other) => other.path === path);
    return answer && new Response(JSON.stringify(answer.body), { status: answer.status });
  };
}

function answersIn(text: string): readonly Answer[] {
  try {
    return JSON.parse(text).answers ?? [];
  } catch {
    return [];
  }
}

type Answer = { readonly path: string; readonly status: number; readonly body: unknown };

/** Forgets all answers that were not taken, because something has changed since they were asked for. */
export function forgetStartedCalls(): void {
  if (typeof window !== 'undefined') window.startedCalls = undefined;
}
