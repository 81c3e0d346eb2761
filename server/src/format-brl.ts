import { brlFromCents } from '@jangada/contract';

const brlFormat = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });

/** Formats integer cents for a sentence: `R$ 1.250,00`. */
export function formatBrl(cents: number): string {
  return brlFormat.format(brlFromCents(cents));
}
