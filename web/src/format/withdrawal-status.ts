/** The status badge shapes that a withdrawal can have. */
export type WithdrawalLook = { glyph: 'done' | 'waiting' | 'processing' | 'failed' | 'gone'; word: string };

const looks = new Map<string, WithdrawalLook>([
  ['pending', { glyph: 'waiting', word: 'Pendente' }],
  ['processing', { glyph: 'processing', word: 'Processando' }],
  ['completed', { glyph: 'done', word: 'Concluído' }],
  ['paid', { glyph: 'done', word: 'Pago' }],
  ['failed', { glyph: 'failed', word: 'Falhou' }],
]);

/** The glyph and word of a withdrawal's status. An unknown status is shown raw. */
export function withdrawalLook(status: string): WithdrawalLook {
  return looks.get(status.toLowerCase()) ?? { glyph: 'gone', word: status };
}

/** True while the money is still in transit. */
export function isUnderWay(status: string): boolean {
  return status === 'pending' || status === 'processing';
}
