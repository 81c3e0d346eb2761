import { SectionHeader } from '../../ui/index.ts';

const steps = [
  {
    title: 'Quem pagou contesta no banco',
    text: 'Vale para golpe, fraude ou coação. Arrependimento e atraso na entrega não são motivo.',
  },
  {
    title: 'O valor fica bloqueado',
    text: 'Sai do seu saldo e, se faltar, da reserva. Ninguém o gasta até a decisão.',
  },
  {
    title: 'Você se defende',
    text: 'Em até 7 dias: conte o que foi vendido e anexe o que prova a entrega.',
  },
  {
    title: 'O banco decide',
    text: 'Se a contestação não vale, o dinheiro volta ao seu saldo. Se vale, volta a quem pagou.',
  },
];

/** Explains to the merchant what a dispute is and what to do. */
export function HowDisputesWork({ className }: { className?: string }) {
  return (
    <section aria-labelledby="how-disputes-work" className={className}>
      <SectionHeader id="how-disputes-work" title="Como funciona uma disputa" />
      <ol className="mt-2 grid gap-x-8 gap-y-4 md:grid-cols-2 lg:grid-cols-4">
        {steps.map(({ title, text }, index) => (
          <li key={title}>
            <p className="font-medium">
              {index + 1}. {title}
            </p>
            <p className="text-muted">{text}</p>
          </li>
        ))}
      </ol>
      <p className="mt-4 text-xs text-muted">
        É o Mecanismo Especial de Devolução (MED), do Banco Central, que vale em todos os bancos.
      </p>
    </section>
  );
}
