import type { DayModel } from '@jangada/contract';
import { formatDayInWords } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { paymentsInWords } from './day-words.ts';

/** `Hoje, sábado, 21 de novembro, entraram R$ 1.672,10 em 14 pagamentos.` */
export function TodaySentence({ today, now }: { today: DayModel; now: Date }) {
  const date = `Hoje, ${formatDayInWords(now)},`;
  if (today.count === 0) return `${date} ainda não entrou nenhum pagamento.`;
  return (
    <>
      {date} entraram{' '}
      <strong className="font-strong text-base-content">{formatMoney(today.receivedCents)}</strong> em{' '}
      {paymentsInWords(today.count)}.
    </>
  );
}
