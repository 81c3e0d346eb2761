import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createExportQueue } from './export-queue.ts';
import type { FileResponse } from './file-response.ts';

async function* pieces() {
  for (const piece of ['a', 'b', 'c']) {
    await turn();
    yield piece;
  }
}
const file = { contentType: 'text/csv', fileName: 'file.csv' };
const openFile = async () => ({ ...file, content: pieces() });

async function read(answer: FileResponse): Promise<string> {
  let text = '';
  for await (const piece of answer.content as AsyncIterable<string>) text += piece;
  answer.onEnd();
  return text;
}

test('exports whose clients stopped reading do not block other merchants', async () => {
  const startExport = createExportQueue(2);
  for (let merchant = 1; merchant <= 10; merchant += 1) {
    const stopped = await startExport(merchant, openFile);
    await (stopped.content as AsyncGenerator<string>).next();
  }
  expect(await read(await startExport(11, openFile))).toBe('abc');
});

test('few exports read at the same time', async () => {
  const startExport = createExportQueue(2);
  let readingCount = 0;
  const readingCounts: number[] = [];
  async function* countedPieces() {
    for (let piece = 0; piece < 5; piece += 1) {
      readingCount += 1;
      readingCounts.push(readingCount);
      await turn();
      readingCount -= 1;
      yield `${piece}`;
    }
  }
  const openCountedFile = async () => ({ ...file, content: countedPieces() });
  const merchants = Array.from({ length: 8 }, (_, index) => index);
  const texts = await Promise.all(
    merchants.map(async (merchant) => read(await startExport(merchant, openCountedFile))),
  );
  expect(new Set(texts)).toEqual(new Set(['01234']));
  expect(Math.max(...readingCounts)).toBe(2);
});

test('a merchant’s second export is refused until the first has ended, even by a failure', async () => {
  const startExport = createExportQueue(2);
  const first = await startExport(1, openFile);
  await expect(startExport(1, openFile)).rejects.toMatchObject({ code: 'OVERLOADED' });
  first.onEnd();
  await expect(startExport(1, () => Promise.reject(new Error('database down')))).rejects.toThrow(
    'database down',
  );
  expect(await read(await startExport(1, openFile))).toBe('abc');
});
