import type { BatchLineState, ChargeBatch } from '@jangada/contract';
import { formatCount } from '../../format/money.ts';
import { shortId } from '../../format/short-id.ts';
import { type GlyphName, StatusBadge } from '../../ui/index.ts';

/** A batch by the name that somebody gave it, or else by its id. */
export function batchName({ reference, id }: Pick<ChargeBatch, 'reference' | 'id'>): string {
  return reference ?? shortId(id);
}

/** How many lines became charges, or did not. */
export function outcomeText({ created, refused, cancelled }: ChargeBatch): string {
  return [
    `${formatCount(created)} ${created === 1 ? 'criada' : 'criadas'}`,
    refused > 0 && `${formatCount(refused)} ${refused === 1 ? 'recusada' : 'recusadas'}`,
    cancelled > 0 && `${formatCount(cancelled)} ${cancelled === 1 ? 'cancelada' : 'canceladas'}`,
  ]
    .filter(Boolean)
    .join(', ');
}

export function BatchBadge({ batch: { status } }: { batch: ChargeBatch }) {
  return status === 'working' ? (
    <StatusBadge status="processing">Criando</StatusBadge>
  ) : (
    <StatusBadge status="done">Concluído</StatusBadge>
  );
}

export const lineBadges: Readonly<Record<BatchLineState, { glyph: GlyphName; label: string }>> = {
  waiting: { glyph: 'waiting', label: 'Em espera' },
  created: { glyph: 'done', label: 'Criada' },
  refused: { glyph: 'failed', label: 'Recusada' },
  cancelled: { glyph: 'gone', label: 'Cancelada' },
};
