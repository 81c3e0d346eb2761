import { expect, test } from 'vitest';
import { requireDurableCommits } from './cluster.ts';

const durable = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', max_wal_size: '1GB' };

test('a PostgreSQL that may lose commits is not measured', () => {
  requireDurableCommits(durable);
  for (const name of ['fsync', 'synchronous_commit', 'full_page_writes'])
    expect(() => requireDurableCommits({ ...durable, [name]: 'off' })).toThrow(`without ${name}`);
  expect(() => requireDurableCommits({ ...durable, synchronous_commit: 'local' })).toThrow(
    'synchronous_commit',
  );
  expect(() => requireDurableCommits({})).toThrow('fsync, synchronous_commit, full_page_writes');
});
