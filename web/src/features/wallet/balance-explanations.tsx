import { formatDays } from '../../format/date.ts';
import { Dot, SectionHeader } from '../../ui/index.ts';
import { partColours } from './split-bar.tsx';

type BalanceExplanationsProps = {
  /** For how many days a share of each payment is withheld; null when that is unknown or nothing is withheld. */
  reserveDays: number | null;
  canWithdraw: boolean;
};

/** Explains the available, reserved and blocked amounts, each with its colour in the bar of the wallet. */
export function BalanceExplanations({ reserveDays, canWithdraw }: BalanceExplanationsProps) {
  const duration = `por ${reserveDays === null ? 'alguns dias' : formatDays(reserveDays)}`;
  const meanings = [
    {
      key: 'available',
      term: 'Disponível',
      text: canWithdraw
        ? 'Já é seu: pode sacar, dentro dos limites.'
        : 'Já é seu, livre de reserva e de disputa.',
    },
    {
      key: 'reserved',
      term: 'Reservado',
      text: `Uma parte de cada Pix, guardada ${duration} como garantia.`,
    },
    {
      key: 'blocked',
      term: 'Bloqueado por disputas',
      text: 'Em análise no mecanismo de devolução do Banco Central (MED).',
    },
  ] as const;
  return (
    <section aria-labelledby="meanings">
      <SectionHeader id="meanings" title="O que cada valor quer dizer" />
      <dl className="mt-2 grid gap-4">
        {meanings.map(({ key, term, text }) => (
          <div key={key} className="grid grid-cols-[auto_1fr] items-center gap-x-3">
            <Dot className={partColours[key]} />
            <dt className="font-medium">{term}</dt>
            <dd className="col-start-2 text-muted">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
