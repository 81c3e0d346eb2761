import { FlaskConical } from 'lucide-react';

/** That no money is real, and where the code is paid all the same. */
export function SandboxStrip({ bankUrl, code }: { bankUrl: string; code: string }) {
  const address = code === '' ? bankUrl : `${bankUrl}/?codigo=${encodeURIComponent(code)}`;
  return (
    <aside
      aria-label="Ambiente de teste"
      className="flex flex-wrap items-center justify-center gap-x-2 bg-primary-tint px-4 py-2 text-center text-sm text-primary"
    >
      <FlaskConical className="size-4 shrink-0" strokeWidth={1.75} aria-hidden="true" />
      <p>
        <strong className="font-strong">Ambiente de teste.</strong> Nenhum dinheiro é de verdade.
      </p>
      <a className="link print:hidden" href={address} target="_blank" rel="noopener noreferrer">
        {code === '' ? 'Abrir o Banco Sandbox' : 'Pagar no Banco Sandbox'}
      </a>
    </aside>
  );
}
