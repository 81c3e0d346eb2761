import type { adminSuspense, ResponseOf } from '@jangada/contract';
import type { GlyphName } from '../../ui/index.ts';

export type SuspensePix = ResponseOf<typeof adminSuspense>['pix'][number];

const whys = new Map([
  ['no-txid', 'Sem identificação de cobrança'],
  ['unknown-txid', 'Identifica uma cobrança que não existe aqui'],
  ['second-payment', 'Segundo pagamento da mesma cobrança'],
  ['wrong-amount', 'Valor diferente do da cobrança'],
  ['wrong-key', 'Veio por outra chave'],
  ['below-fee', 'Não cobre a tarifa de quem receberia'],
]);

/** Why no charge took it. */
export function whyWords(why: string): string {
  return whys.get(why) ?? why;
}

/** The outcome of a suspense entry, as a badge. */
export function suspenseLook({ status, proposal }: SuspensePix): { glyph: GlyphName; word: string } {
  if (status === 'returning') return { glyph: 'processing', word: 'Devolvendo' };
  if (status === 'returned') return { glyph: 'returned', word: 'Devolvido' };
  if (status === 'assigned') return { glyph: 'done', word: 'Atribuído' };
  return proposal === null
    ? { glyph: 'waiting', word: 'Sem dono' }
    : { glyph: 'waiting', word: 'Espera confirmação' };
}
