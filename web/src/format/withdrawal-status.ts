type Badge = { glyph: 'done' | 'waiting' | 'processing' | 'failed' | 'gone'; label: string };

const badgesByStatus = new Map<string, Badge>([
  ['pending', { glyph: 'waiting', label: 'Pendente' }],
  ['processing', { glyph: 'processing', label: 'Processando' }],
  ['completed', { glyph: 'done', label: 'Concluído' }],
  ['paid', { glyph: 'done', label: 'Pago' }],
  ['failed', { glyph: 'failed', label: 'Falhou' }],
]);

/**
 * The glyph and the label of the badge for a withdrawal's status. The label of a status that this version does not know
 * is the status itself, as received.
 */
export function withdrawalBadge(status: string): Badge {
  return badgesByStatus.get(status.toLowerCase()) ?? { glyph: 'gone', label: status };
}

/** True while the outcome of the withdrawal is still open. */
export function isInProgress(status: string): boolean {
  return status === 'pending' || status === 'processing';
}
