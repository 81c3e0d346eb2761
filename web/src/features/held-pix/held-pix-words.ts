import { type HeldPix, type HeldPixReason, RETURN_DAYS } from '@jangada/contract';
import { formatDate } from '../../format/date.ts';
import type { GlyphName } from '../../ui/index.ts';

/** Why a Pix was held: in a list, and in a sentence for somebody who has to decide. */
export const reasonTexts: Readonly<Record<HeldPixReason, { readonly short: string; readonly long: string }>> =
  {
    'other-payer': {
      short: 'Outra pessoa pagou',
      long: 'Quem pagou não é a pessoa que a cobrança nomeia, e a sua regra é perguntar a você.',
    },
    late: {
      short: 'Fora do prazo',
      long: 'O Pix chegou depois do último dia da cobrança, e a sua regra é perguntar a você.',
    },
    'second-payment': {
      short: 'Cobrança já paga',
      long: 'A cobrança já estava paga. Talvez a pessoa tenha pagado duas vezes sem querer.',
    },
    'wrong-amount': {
      short: 'Valor diferente',
      long: 'O valor não é o da cobrança. Isso acontece quando o Pix é feito à mão, sem o código.',
    },
    'wrong-key': {
      short: 'Outra chave',
      long: 'O Pix foi feito para outra chave da sua conta, e não para a da cobrança.',
    },
    'below-fee': {
      short: 'Menor que a tarifa',
      long: 'O valor não paga nem a tarifa da cobrança.',
    },
  };

type Badge = { readonly glyph: GlyphName; readonly label: string };

export const heldBadges: Readonly<Record<HeldPix['state'], Badge>> = {
  held: { glyph: 'waiting', label: 'Decida' },
  accepted: { glyph: 'done', label: 'Aceito' },
  returning: { glyph: 'processing', label: 'Devolvendo' },
  returned: { glyph: 'returned', label: 'Devolvido' },
};

/** The last moment at which the payer's bank takes a Pix back. */
function returnableUntil({ paid_at }: Pick<HeldPix, 'paid_at'>): Date {
  return new Date(Date.parse(paid_at) + RETURN_DAYS * 86_400_000);
}

export function canBeGivenBack(pix: Pick<HeldPix, 'paid_at'>, now: Date): boolean {
  return now <= returnableUntil(pix);
}

/** Until when somebody can still choose, or that there is no choice left. */
export function deadlineText(pix: Pick<HeldPix, 'paid_at'>, now: Date): string {
  return canBeGivenBack(pix, now)
    ? `Decida até ${formatDate(returnableUntil(pix).toISOString())}`
    : 'Já não pode ser devolvido';
}
