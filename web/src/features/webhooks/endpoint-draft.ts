import type { EventType, WebhookEndpoint } from '@jangada/contract';

/** An endpoint as its form holds it. */
export type EndpointDraft = {
  readonly url: string;
  readonly description: string;
  readonly every: 'all' | 'some';
  readonly events: readonly EventType[];
};

export type EndpointProblems = { readonly [Field in 'url' | 'events']?: string };

export function draftOf(endpoint: WebhookEndpoint | null): EndpointDraft {
  if (endpoint === null) return { url: '', description: '', every: 'all', events: [] };
  const { url, description, events } = endpoint;
  return { url, description, every: events.length === 0 ? 'all' : 'some', events };
}

export function problemsOf({ url, every, events }: EndpointDraft): EndpointProblems {
  return {
    ...urlProblem(url.trim()),
    ...(every === 'some' && events.length === 0 && { events: 'Escolha ao menos um evento.' }),
  };
}

function urlProblem(url: string): EndpointProblems {
  if (url === '') return { url: 'Informe o endereço do seu servidor.' };
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    return { url: 'Informe o endereço inteiro, como https://sualoja.com.br/webhooks.' };
  return {};
}

/** The request body for a form. */
export function bodyOf({ url, description, every, events }: EndpointDraft) {
  return {
    url: url.trim(),
    description: description.trim(),
    events: every === 'all' ? [] : [...events],
  };
}
