import pino from 'pino';
import { expect, test } from 'vitest';
import { DatabaseUnavailable } from './db/outage.ts';
import { workOnEachAlone } from './work-alone.ts';

const log = pino({ level: 'silent' });
const describe = (item: number) => ({ item });

test('an item that fails stops none after it, and is not counted as worked on', async () => {
  const worked: number[] = [];
  const work = async (item: number) => {
    if (item === 2) throw new Error('a defect');
    worked.push(item);
  };
  expect(await workOnEachAlone(log, [1, 2, 3], { work, describe })).toBe(2);
  expect(worked).toEqual([1, 3]);
});

test('an outage of the database ends the work', async () => {
  let calls = 0;
  const work = async () => {
    calls += 1;
    throw new DatabaseUnavailable('gone');
  };
  await expect(workOnEachAlone(log, [1, 2, 3], { work, describe })).rejects.toThrow(DatabaseUnavailable);
  expect(calls).toBe(1);
});
