import { StatusBadge } from '../../ui/index.ts';

export type KeyStatus = { hasKey: boolean; active: boolean };

export function KeyStatusBadge({ hasKey, active }: KeyStatus) {
  // Without a key there is no state to draw: a word is enough.
  if (!hasKey) return <span className="badge bg-grey-tint text-grey">Nenhuma</span>;
  return active ? (
    <StatusBadge status="done">Ativa</StatusBadge>
  ) : (
    <StatusBadge status="gone">Inativa</StatusBadge>
  );
}
