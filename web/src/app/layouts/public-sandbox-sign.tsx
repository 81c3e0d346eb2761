import { FlaskConical } from 'lucide-react';
import { Tag } from '../../ui/status-badge.tsx';

/** Says on public pages that no money is real. It is placed so that its appearance shifts no layout. */
export function PublicSandboxSign() {
  return (
    <span className="flex items-center gap-2.5">
      <Tag icon={<FlaskConical className="size-3.5" strokeWidth={1.75} aria-hidden="true" />}>Sandbox</Tag>
      <span className="text-xs text-muted max-[18rem]:sr-only">Dinheiro de teste</span>
    </span>
  );
}
