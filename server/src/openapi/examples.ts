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

const calls: Readonly<Record<string, Example>> = recorded;
const documented = new Map(documentedEndpoints.map((endpoint) => [endpoint.name, fromDocs(endpoint)]));

/**
 * The example of an operation: from the documentation, or a call recorded by `examples.test.ts`, which rewrites the
 * recordings if WRITE_EXAMPLES is set.
 */
export function exampleOf(name: string): Example | undefined {
  return documented.get(name) ?? calls[name];
}

/** Converts the documentation's example. */
function fromDocs(endpoint: Endpoint): Example {
  const { path, body } = exampleCall(endpoint);
  const [place = '', query] = path.split('?');
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const values = new RegExp(`^${endpoint.path.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(place)?.slice(1) ?? [];
  return {
    params: Object.fromEntries(names.map((name, at) => [name, values[at] ?? ''])),
    query: Object.fromEntries(new URLSearchParams(query)),
    body,
    answer: exampleAnswers[endpoint.name],
  };
}
