import type { CheckoutPage, PaymentState } from '@jangada/contract';
import { formatMoney } from '../format/money.ts';
import { notices } from './notices.ts';

const words: Record<PaymentState, string> = {
  waiting: 'Pagar',
  paid: 'Pago',
  refunded: 'Devolvido',
  expired: 'Código expirado',
  cancelled: 'Cobrança cancelada',
  failed: 'Código não gerado',
};

/** The browser tab's title, which begins with the state. */
export function titleOf(page: CheckoutPage): string {
  switch (page.kind) {
    case 'payment':
      return `${words[page.state]} · ${formatMoney(page.amountCents)} · ${page.payee.name}`;
    case 'receipt':
      return `Comprovante · ${formatMoney(page.amountCents)} · ${page.payee.name}`;
    case 'link':
      return `${page.title} · ${page.payee.name}`;
    case 'counter':
      return `${page.name} · ${page.payee.name}`;
    case 'notice':
      return notices[page.about].title;
  }
}
