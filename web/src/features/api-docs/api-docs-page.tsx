import { printedDocs } from 'virtual:api-docs';
import type { ApiKeyModel } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { startTransition, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { apiKeyQuery, settingsQuery } from '../../api/queries.ts';
import { DOCS_PAGE, paths } from '../../app/paths.ts';
import { Link } from '../../navigation/index.ts';
import { Notice, PageHeader } from '../../ui/index.ts';
import { LanguageChoice } from './code-block.tsx';
import { enhanceDocs } from './enhance-docs.ts';
import { fillDocs } from './fill-docs.ts';
import { Chapters, TableOfContents } from './sections.tsx';

/** How many chapters the first render of the page has. */
const FIRST_CHAPTER_COUNT = 2;

/** The API documentation in the panel: the content of /docs, with the merchant's own key in its samples. */
export function ApiDocsPage() {
  const keyStatus = useQuery(apiKeyQuery).data;
  // The key appears in every sample, so a new key is rendered at low priority to keep the page responsive.
  const apiKey = useDeferredValue(keyStatus?.key ?? keyStatus?.masked ?? undefined);
  const bankUrl = useQuery(settingsQuery).data?.bankUrl;
  const chapters = useMemo(() => fillDocs(printedDocs, { apiKey, bankUrl }), [apiKey, bankUrl]);
  const docs = useRef<HTMLDivElement>(null);
  const isComplete = useCompleteAfterFirstRender();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `enhanceDocs` must run again on all chapters
  useEffect(() => (docs.current === null ? undefined : enhanceDocs(docs.current)), [isComplete]);

  return (
    <div ref={docs} className="group/docs [--docs-top:7.5rem] [&_h2]:scroll-mt-12 [&_h3]:scroll-mt-12">
      <PageHeader
        title="Documentação API"
        sentence={
          <>
            A mesma página, sem entrar:{' '}
            <a className="link" href={DOCS_PAGE}>
              /docs
            </a>
          </>
        }
      />
      <KeyNotice keyStatus={keyStatus} />
      <div className="mt-6 grid gap-x-8 lg:grid-cols-[11rem_minmax(0,1fr)]">
        <nav
          aria-label="Nesta página"
          className="sticky top-14 max-h-[calc(100dvh-3.5rem)] self-start overflow-y-auto py-4 max-lg:hidden"
        >
          <TableOfContents chapters={chapters} />
        </nav>
        <div className="min-w-0">
          <div className="sticky top-14 z-10 bg-base-100 py-2.5">
            <LanguageChoice />
          </div>
          <details className="mt-2 mb-6 rounded-box border border-base-300 lg:hidden">
            <summary className="px-4 py-3 font-label">Nesta página</summary>
            <nav aria-label="Nesta página" className="px-2 pb-4">
              <TableOfContents chapters={chapters} />
            </nav>
          </details>
          <div className="[&_section>section]:[contain-intrinsic-size:auto_40rem] [&_section>section]:[content-visibility:auto]">
            <Chapters chapters={chapters} {...(!isComplete && { chapterLimit: FIRST_CHAPTER_COUNT })} />
          </div>
        </div>
      </div>
      <p role="status" data-copied="" className="sr-only" />
    </div>
  );
}

/** Says whether the samples contain the merchant's whole key, a masked key, or a placeholder. */
function KeyNotice({ keyStatus }: { keyStatus: ApiKeyModel | undefined }) {
  const content = () => {
    if (keyStatus?.key) return 'Os exemplos levam a sua chave: copie e execute.';
    if (keyStatus?.hasKey)
      return (
        <>
          Os exemplos levam só o começo e o fim da sua chave. Para tê-la inteira,{' '}
          <Link className="link" to={paths.apiKeys}>
            mostre a chave
          </Link>{' '}
          e volte.
        </>
      );
    return (
      <>
        Troque SUA_CHAVE pela sua chave, gerada em{' '}
        <Link className="link" to={paths.apiKeys}>
          Chaves de API
        </Link>
        .
      </>
    );
  };
  return (
    <Notice tone="info" className="max-w-184">
      {content()}
    </Notice>
  );
}

/**
 * True when all chapters are rendered, and false while only the first ones are. The page has about ten thousand
 * elements, so the first render has only the first chapters, and the others follow at low priority. When the URL names
 * a section, all chapters are rendered at once, so that the browser can scroll to that section.
 */
function useCompleteAfterFirstRender(): boolean {
  const [isComplete, setComplete] = useState(location.hash !== '');
  useEffect(() => startTransition(() => setComplete(true)), []);
  return isComplete;
}
