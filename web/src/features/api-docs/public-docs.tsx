import type { Section } from '@jangada/contract/docs';
import { Wordmark } from '../../ui/logo.tsx';
import { LanguageChoice } from './code-block.tsx';
import { Chapters, TableOfContents } from './sections.tsx';

/**
 * The public page /docs. It is rendered at build time and works without a script; `enhanceDocs` adds the parts that
 * need a script.
 */
export function PublicDocs({ chapters }: { chapters: readonly Section[] }) {
  return (
    <div className="group/docs min-h-dvh [--docs-top:4.5rem]">
      <a
        href="#conteudo"
        className="sr-only rounded-field bg-raised px-4 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-40"
      >
        Pular para o conteúdo
      </a>
      <header className="mx-auto flex max-w-[90rem] items-center justify-between gap-4 px-4 pt-4 pb-1 lg:px-8">
        <a href="/" className="rounded-field" aria-label="Jangada">
          <Wordmark />
        </a>
        <nav aria-label="Conta" className="flex items-center gap-4">
          <a className="link" href="/login">
            Entrar
          </a>
          <a className="link" href="/register">
            Criar conta
          </a>
        </nav>
      </header>
      <div className="mx-auto max-w-[90rem] px-4 lg:px-8">
        <div className="grid gap-x-10 lg:grid-cols-[14rem_minmax(0,1fr)]">
          <nav
            aria-label="Nesta página"
            className="sticky top-0 max-h-dvh self-start overflow-y-auto pt-16 pb-8 max-lg:hidden"
          >
            <TableOfContents chapters={chapters} />
          </nav>
          <main id="conteudo" tabIndex={-1} className="min-w-0 pb-24 outline-none">
            <div className="sticky top-0 z-10 -mx-4 flex items-center justify-between gap-3 border-b border-base-300 bg-base-100 px-4 py-2.5 lg:mx-0 lg:px-0">
              <p className="font-label max-sm:sr-only">Documentação da API</p>
              <LanguageChoice />
              <a href="#indice" className="link max-[23rem]:hidden lg:hidden">
                Índice
              </a>
            </div>
            <h1 className="mt-8 text-xl font-strong">Documentação da API</h1>
            <p className="mt-2 max-w-184 text-base text-muted">
              Receba Pix, estorne, saque e seja avisado de tudo. Os exemplos em curl e JavaScript são
              executados pelos testes da Jangada, como estão aqui.
            </p>
            <details id="indice" className="mt-6 rounded-box border border-base-300 lg:hidden">
              <summary className="px-4 py-3 font-label">Nesta página</summary>
              <nav aria-label="Nesta página" className="px-2 pb-4">
                <TableOfContents chapters={chapters} />
              </nav>
            </details>
            <div className="mt-10">
              <Chapters chapters={chapters} />
            </div>
          </main>
        </div>
      </div>
      <p role="status" data-copied="" className="sr-only" />
    </div>
  );
}
