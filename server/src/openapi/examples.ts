import type { Endpoint } from '@jangada/contract';
import { documentedEndpoints, exampleAnswers, exampleCall } from '@jangada/contract/docs';

/** One call of an operation, and what is answered to it. */
export type Example = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly answer?: unknown;
};

const documented = new Map(documentedEndpoints.map((endpoint) => [endpoint.name, fromDocs(endpoint)]));

/** The example of an operation. */
export function exampleOf(name: string): Example | undefined {
  return documented.get(name);
}

/** As the documentation shows it. */
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
