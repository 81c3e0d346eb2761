import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Glyph, type GlyphName } from './glyph.tsx';

const tones: Record<GlyphName, string> = {
  done: 'bg-success-tint text-success',
  waiting: 'bg-warning-tint text-warning',
  gone: 'bg-grey-tint text-grey',
  returned: 'bg-slate-tint text-slate',
  failed: 'bg-error-tint text-error',
  processing: 'bg-primary-tint text-primary',
};

/**
 * A status as a badge: a glyph, and the label as `children`. Each glyph stands for a kind of status: `done` for success
 * (Pago, Concluído, Ativa, Aprovado), `waiting` for Pendente, `gone` for Expirado, Inativa and any status that is not
 * known, `returned` for Estornado, `failed` for Erro and Falhou, and `processing` for Processando.
 */
export function StatusBadge({ status, children }: { status: GlyphName; children: ReactNode }) {
  return (
    <span className={classNames('badge', tones[status])}>
      <Glyph name={status} />
      {children}
    </span>
  );
}

/** A tinted tag with its own icon, e.g. Sandbox. */
export function Tag({ icon, children }: { icon?: ReactNode; children: ReactNode }) {
  return (
    <span className="badge bg-primary-tint text-primary">
      {icon}
      {children}
    </span>
  );
}
