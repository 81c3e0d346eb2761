import type { BankConnection } from '@jangada/contract';
import { StatusBadge } from '../../ui/index.ts';
import { connectionBadge } from './connection-words.ts';

export function ConnectionBadge({ connection }: { connection: BankConnection }) {
  const { glyph, label } = connectionBadge(connection);
  return <StatusBadge status={glyph}>{label}</StatusBadge>;
}
