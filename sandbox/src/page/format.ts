const MONEY = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });
const MOMENT = new Intl.DateTimeFormat('pt-BR', {
  dateStyle: 'short',
  timeStyle: 'short',
  timeZone: 'America/Sao_Paulo',
});
const YEAR = new Intl.DateTimeFormat('pt-BR', { year: 'numeric', timeZone: 'America/Sao_Paulo' });

/** `R$ 1.234,56` with a no-break space. */
export function formatMoney(cents: number): string {
  return MONEY.format(cents / 100);
}

/** `21/11/2026 15:02`, in Brasília time. */
export function formatDateTime(moment: number): string {
  const parts = Object.fromEntries(MOMENT.formatToParts(moment).map(({ type, value }) => [type, value]));
  return `${parts['day']}/${parts['month']}/${YEAR.format(moment)} ${parts['hour']}:${parts['minute']}`;
}

/** Up to two initials of a name, without its particles. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^\p{Lu}/u.test(word));
  return words
    .slice(0, 2)
    .map((word) => word.charAt(0))
    .join('');
}
