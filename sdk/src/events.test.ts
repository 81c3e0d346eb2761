import { expect, test } from 'vitest';
import { Jangada } from './index.ts';

test('follow continues from the last page, and yields nothing more once aborted', async () => {
  const requestedCursors: (string | null)[] = [];
  const pages = [
    { data: [{ id: 'e1' }, { id: 'e2' }], has_more: true, next: 'e2' },
    { data: [], has_more: false, next: null },
    { data: [{ id: 'e3' }, { id: 'e4' }], has_more: true, next: 'e4' },
  ];
  const jangada = new Jangada({
    baseUrl: 'https://pix.example.com',
    apiKey: 'k',
    fetch: async (address) => {
      requestedCursors.push(new URL(address).searchParams.get('after'));
      return Response.json(pages[requestedCursors.length - 1]);
    },
  });
  const controller = new AbortController();
  const receivedIds: string[] = [];
  for await (const { id } of jangada.events.follow({
    after: 'e0',
    intervalMs: 1,
    signal: controller.signal,
  })) {
    receivedIds.push(id);
    if (id === 'e3') controller.abort();
  }
  expect(receivedIds).toEqual(['e1', 'e2', 'e3']);
  expect(requestedCursors).toEqual(['e0', 'e2', 'e2']);
});
