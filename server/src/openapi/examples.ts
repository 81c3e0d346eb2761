import type { Endpoint } from '@jangada/contract';
import { documentedEndpoints, exampleAnswers, exampleCall } from '@jangada/contract/docs';
import recorded from './recorded-examples.json' with { type: 'json' };

/** One call of an operation, and its response. */
export type Example = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly answer?: unknown;
};

const recordedCalls: Readonly<Record<string, Example>> = recorded;
const documentedCalls = new Map(documentedEndpoints.map((endpoint) => [endpoint.name, toExample(endpoint)]));

/**
 * The example of an operation: that of the documentation, or else a call that `examples.test.ts` recorded. The test
 * rewrites the recordings if WRITE_EXAMPLES is set.
 */
export function exampleOf(name: string): Example | undefined {
  return documentedCalls.get(name) ?? recordedCalls[name];
}

/** Converts an example of the documentation, whose call is written as one path with its query. */
function toExample(endpoint: Endpoint): Example {
  const { path, body } = exampleCall(endpoint);
  const [pathname = '', query] = path.split('?');
  const parameterNames = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const parameterValues =
    new RegExp(`^${endpoint.path.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(pathname)?.slice(1) ?? [];
  return {
    params: Object.fromEntries(parameterNames.map((name, index) => [name, parameterValues[index] ?? ''])),
    query: Object.fromEntries(new URLSearchParams(query)),
    body,
    answer: exampleAnswers[endpoint.name],
  };
}
