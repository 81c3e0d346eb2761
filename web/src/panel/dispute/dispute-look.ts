import type { DisputeModel, DisputeStatus } from '@jangada/contract';
import type { GlyphName } from '../../ui/index.ts';

/** What a dispute awaits, or how it ended. */
export type DisputePhase = 'defence' | 'decision' | Exclude<DisputeStatus, 'open'>;

/** After its deadline, an undefended dispute awaits the bank's decision too. */
export function phaseOf(
  { status, defendedAt, deadline }: Pick<DisputeModel, 'status' | 'defendedAt' | 'deadline'>,
  now: number,
): DisputePhase {
  if (status !== 'open') return status;
  return defendedAt === null && Date.parse(deadline) > now ? 'defence' : 'decision';
}

export const phaseLooks: Record<DisputePhase, { glyph: GlyphName; word: string }> = {
  defence: { glyph: 'waiting', word: 'Espera defesa' },
  decision: { glyph: 'processing', word: 'Em análise' },
  won: { glyph: 'done', word: 'Ganha' },
  lost: { glyph: 'failed', word: 'Perdida' },
  cancelled: { glyph: 'gone', word: 'Cancelada' },
};
