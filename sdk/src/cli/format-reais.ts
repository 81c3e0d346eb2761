const brl = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });

/** `R$ 25,90`, with a blank that every terminal and search finds. */
export function formatReais(reais: number): string {
  return brl.format(reais).replace('\u00a0', ' ');
}
