import { useQuery } from '@tanstack/react-query';
import { FileKey2, KeyRound, Landmark } from 'lucide-react';
import type { ReactNode } from 'react';
import { profileQuery } from '../../api/queries.ts';
import { Drawing, Panel } from '../../ui/index.ts';

const needed = [
  {
    Icon: Landmark,
    title: 'Uma conta em um dos bancos da lista',
    note: 'No nome da sua empresa ou no seu, com uma chave Pix registrada nela.',
  },
  {
    Icon: KeyRound,
    title: 'Client ID e Client Secret',
    note: 'O banco os dá em sua área de API, a quem cria uma aplicação.',
  },
  {
    Icon: FileKey2,
    title: 'O certificado e a chave dele',
    note: 'Um arquivo .p12, ou dois .pem, se o banco exigir. A lista diz quais exigem.',
  },
];

/** Explains to a merchant without a connected account what one is, for whom, and what is needed. */
export function HowItWorks({ action }: { action: ReactNode }) {
  const user = useQuery(profileQuery).data;
  const hasMoneyAtOperator = (user?.atOperatorCents ?? user?.balanceCents ?? 0) > 0;
  return (
    <div className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,21rem)]">
      <section
        aria-labelledby="no-account"
        className="flex flex-col items-center py-6 text-center md:py-10 lg:items-start lg:text-left"
      >
        <Drawing name="nothing-yet" />
        <h2 id="no-account" className="mt-5 text-base font-strong">
          Nenhuma conta conectada
        </h2>
        <p className="mt-1 max-w-[52ch] text-muted">
          Com uma conta própria, cada Pix cai direto nela, sem esperar um saque. É para quem vende em seu nome
          e já tem conta em um banco com API Pix.
          {hasMoneyAtOperator && ' O saldo que está com o operador continua seu e pode ser sacado.'}
        </p>
        <div className="mt-6 max-md:w-full max-md:*:w-full">{action}</div>
      </section>
      <Panel well as="aside" label="O que é preciso">
        <h2 className="font-strong">O que é preciso</h2>
        <ul className="mt-3 grid gap-3">
          {needed.map(({ Icon, title, note }) => (
            <li key={title} className="flex gap-2.5">
              <Icon className="mt-0.5 size-4 shrink-0 text-muted" strokeWidth={1.75} aria-hidden="true" />
              <span className="min-w-0">
                <span className="block font-medium">{title}</span>
                <span className="block text-muted">{note}</span>
              </span>
            </li>
          ))}
        </ul>
        <p className="mt-4 border-t border-base-300 pt-3 text-muted">
          As credenciais são guardadas cifradas e ninguém as lê de volta. Nada pode ser recebido na conta
          antes de a verificação passar e de você a ativar.
        </p>
      </Panel>
    </div>
  );
}
