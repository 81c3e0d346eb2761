const reais = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** What a money field shows for its cents: 125000 → "1.250,00"; null → "". */
export function centsAsTyped(cents: number | null): string {
  return cents === null ? '' : reais.format(cents / 100);
}

/** The cents a typed or pasted text stands for: every digit shifts in from the right. "" → null. */
export function centsFromDigits(text: string, maxCents: number): number | null {
  const digits = text.replace(/\D/g, '').replace(/^0+/, '');
  if (digits === '') return /\d/.test(text) ? 0 : null;
  const cents = Number(digits);
  return cents > maxCents ? null : cents;
}

/** The cents of a pasted amount: "R$ 1.234,5", "1234.50" and "12" are reais; null when it is no amount. */
export function centsFromPaste(text: string): number | null {
  const amount = text.replace(/[^\d.,]/g, '');
  const parts = /^(\d[\d.,]*?)(?:[.,](\d{1,2}))?$/.exec(amount);
  if (parts === null) return null;
  const whole = (parts[1] ?? '').replace(/[.,]/g, '');
  const fraction = (parts[2] ?? '').padEnd(2, '0');
  const cents = Number(`${whole}${fraction}`);
  return Number.isSafeInteger(cents) ? cents : null;
}
