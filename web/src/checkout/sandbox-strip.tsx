import { FlaskConical } from 'lucide-react';

/** Says that no money is real, and where the code can be paid with test money. */
export function SandboxStrip({ bankUrl, code }: { bankUrl: string; code: string }) {
  const address = code === '' ? bankUrl : `${bankUrl}/?codigo=${encodeURIComponent(code)}`;
  return (
    <aside
      aria-label="Ambiente de teste"
      className="flex flex-wrap items-center justify-center gap-x-2 gap-y-0.5 bg-primary-tint px-4 py-2 text-center text-xs text-primary"
    >
      <p>
        <FlaskConical
          className="mr-1.5 inline size-3.5 align-[-0.125rem]"
          strokeWidth={1.75}
          aria-hidden="true"
        />
        <strong className="font-strong">Ambiente de teste.</strong> Nenhum dinheiro é de verdade.
      </p>
      <a
        className="link max-md:basis-full print:hidden"
        href={address}
        target="_blank"
        rel="noopener noreferrer"
      >
        {code === '' ? 'Abrir o Banco Sandbox' : 'Pagar no Banco Sandbox'}
      </a>
    </aside>
  );
}
