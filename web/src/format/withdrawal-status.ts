/** The glyph and the word of a withdrawal's status badge. */
export type WithdrawalLook = { glyph: 'done' | 'waiting' | 'processing' | 'failed' | 'gone'; word: string };

const looksByStatus = new Map<string, WithdrawalLook>([
  ['pending', { glyph: 'waiting', word: 'Pendente' }],
  ['processing', { glyph: 'processing', word: 'Processando' }],
  ['completed', { glyph: 'done', word: 'Concluído' }],
  ['paid', { glyph: 'done', word: 'Pago' }],
  ['failed', { glyph: 'failed', word: 'Falhou' }],
]);

/** The badge for a withdrawal's status. A status that this version does not know is shown as received. */
export function withdrawalLook(status: string): WithdrawalLook {
  return looksByStatus.get(status.toLowerCase()) ?? { glyph: 'gone', word: status };
}

/** True while the money is still in transit. */
export function isUnderWay(status: string): boolean {
  return status === 'pending' || status === 'processing';
}
