import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { renderHook } from 'vitest-browser-react';
import { queryClient } from '../../api/query.ts';
import { endSession } from '../../session/session.ts';
import { evidenceFrom } from './evidence.ts';
import { useDefence } from './use-defence.ts';

test('what is typed while files are looked at stays, and so does a file that was added meanwhile', async () => {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  );
  const { result, act } = await renderHook(() => useDefence('d1'), { wrapper });
  // As the handler of a file holds it that was begun before.
  const { change } = result.current;
  const [first] = await evidenceFrom([new File(['%PDF-1'], 'nota.pdf')]);
  const [second] = await evidenceFrom([new File(['%PDF-2'], 'conversa.pdf')]);
  if (first === undefined || second === undefined) throw new Error('no files');
  await act(() => result.current.change(() => ({ text: 'Foi entregue.' })));
  await act(() => result.current.change(({ evidence }) => ({ evidence: [...evidence, first] })));
  await act(() => change(({ evidence }) => ({ evidence: [...evidence, second] })));
  expect(result.current.draft).toEqual({ text: 'Foi entregue.', evidence: [first, second] });
  endSession('sign-out');
});
