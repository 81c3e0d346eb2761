import { renderToStaticMarkup } from 'react-dom/server';
import { buttonClass } from '../ui/button.tsx';
import { Drawing } from '../ui/drawing.tsx';
import { Wordmark } from '../ui/logo.tsx';

/** The page shown when this device cannot reach the gateway. It contains no user data. */
function OfflinePage() {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="p-6 lg:px-10 lg:pt-8">
        <Wordmark />
      </header>
      <main className="flex grow flex-col items-center justify-center px-6 pb-16 text-center">
        <Drawing name="failed-to-load" />
        <h1 className="mt-5 text-xl font-strong text-balance">Sem conexão com a Jangada</h1>
        <p className="mt-2 max-w-[45ch] text-base text-balance text-muted">
          Este aparelho não chegou ao servidor. Confira o Wi-Fi ou os dados móveis: quando a conexão voltar,
          esta página tenta sozinha.
        </p>
        <button type="button" className={`${buttonClass({ variant: 'primary' })} mt-6`}>
          Tentar novamente
        </button>
        <p role="status" className="mt-3 min-h-5 text-muted" />
        <section className="mt-6 max-w-[45ch] text-left" aria-labelledby="money">
          <h2 id="money" className="font-strong">
            E o dinheiro?
          </h2>
          <p className="mt-1 text-muted">
            O que já está a caminho não depende desta tela: Pix e saques seguem no servidor e no banco. Saldo
            e transações não ficam guardados neste aparelho; aparecem quando a conexão voltar.
          </p>
          <p className="mt-2 text-muted">
            Se a conexão caiu enquanto você pedia um saque ou um estorno, veja primeiro no histórico se ele
            foi feito.
          </p>
        </section>
      </main>
    </div>
  );
}

/** Renders the complete page, with its own style and script inside it. This runs only at build time. */
export function prerenderOffline({ style, script }: { style: string; script: string }): string {
  if (/<\/(?:style|script)/i.test(style + script)) throw new Error('Style or script would end its element.');
  return `<!doctype html>
<html lang="pt-BR" data-theme="corporate">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sem conexão · Jangada</title>
<style>${style}</style>
</head>
<body>${renderToStaticMarkup(<OfflinePage />)}<script>${script}</script></body>
</html>
`;
}
