import type { EventType, WebhookEndpoint } from '@jangada/contract';

/** The fields of the endpoint form, as typed. */
export type EndpointDraft = {
  readonly url: string;
  readonly description: string;
  /** `all`: the endpoint receives every event type. `some`: only those in `events`. */
  readonly scope: 'all' | 'some';
  readonly events: readonly EventType[];
};

/** The error message of each invalid field. */
export type EndpointProblems = { readonly [Field in 'url' | 'events']?: string };

/** The initial content of the form: the fields of the endpoint being changed, or empty fields for a new endpoint. */
export function draftOf(endpoint: WebhookEndpoint | null): EndpointDraft {
  if (endpoint === null) return { url: '', description: '', scope: 'all', events: [] };
  const { url, description, events } = endpoint;
  return { url, description, scope: events.length === 0 ? 'all' : 'some', events };
}

/** The errors of a draft before it is sent. */
export function problemsOf({ url, scope, events }: EndpointDraft): EndpointProblems {
  return {
    ...urlProblem(url.trim()),
    ...(scope === 'some' && events.length === 0 && { events: 'Escolha ao menos um evento.' }),
  };
}

function urlProblem(url: string): EndpointProblems {
  if (url === '') return { url: 'Informe o endereço do seu servidor.' };
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    return { url: 'Informe o endereço inteiro, como https://sualoja.com.br/webhooks.' };
  return {};
}

/** The request body for a draft; an empty list of events means all event types. */
export function bodyOf({ url, description, scope, events }: EndpointDraft) {
  return {
    url: url.trim(),
    description: description.trim(),
    events: scope === 'all' ? [] : [...events],
  };
}
