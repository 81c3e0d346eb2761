const brl = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });

/** `R$ 25,90`, with an ordinary space, which every terminal and search handles. */
export function formatReais(reais: number): string {
  return brl.format(reais).replace('\u00a0', ' ');
}
