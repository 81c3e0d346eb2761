/** Shapes of ui's status badge that a withdrawal can have. */
export type WithdrawalLook = { glyph: 'done' | 'waiting' | 'processing' | 'failed' | 'gone'; word: string };

const looks = new Map<string, WithdrawalLook>([
  ['pending', { glyph: 'waiting', word: 'Pendente' }],
  ['processing', { glyph: 'processing', word: 'Processando' }],
  ['completed', { glyph: 'done', word: 'Concluído' }],
  ['paid', { glyph: 'done', word: 'Pago' }],
  ['failed', { glyph: 'failed', word: 'Falhou' }],
]);

/** How a withdrawal's status is shown. A word that we do not know is shown raw. */
export function withdrawalLook(status: string): WithdrawalLook {
  return looks.get(status.toLowerCase()) ?? { glyph: 'gone', word: status };
}

/** Whether the money is still on its way, so that there is something to wait for. */
export function isUnderWay(status: string): boolean {
  return status === 'pending' || status === 'processing';
}
