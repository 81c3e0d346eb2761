import { expect, test } from 'vitest';
import { refuseUnsafe } from './cluster.ts';

const safe = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', max_wal_size: '1GB' };

test('a PostgreSQL that may lose commits is not measured', () => {
  refuseUnsafe(safe);
  for (const name of ['fsync', 'synchronous_commit', 'full_page_writes'])
    expect(() => refuseUnsafe({ ...safe, [name]: 'off' })).toThrow(`without ${name}`);
  expect(() => refuseUnsafe({ ...safe, synchronous_commit: 'local' })).toThrow('synchronous_commit');
  expect(() => refuseUnsafe({})).toThrow('fsync, synchronous_commit, full_page_writes');
});
