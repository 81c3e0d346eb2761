import { createContext, type ReactNode, useContext } from 'react';

/** The notices that the app's frame shows on every page, directly below the header of the page. */
export const PageBanner = createContext<ReactNode>(null);

/**
 * The header of every page: the title, one sentence, and the main actions. At widths below 768 px the actions share a
 * line of their own, but a single icon button stays beside the title.
 */
export function PageHeader({
  title,
  sentence,
  actions,
}: {
  title: ReactNode;
  sentence?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <>
      <header className="mb-5 flex items-end max-md:not-has-[>div>.btn-square:only-child]:flex-wrap justify-between gap-x-6 gap-y-4 max-md:items-start">
        <div className="min-w-0">
          <h1 className="text-lg font-strong">{title}</h1>
          {sentence !== undefined && <p className="mt-0.5 text-muted">{sentence}</p>}
        </div>
        {actions !== undefined && (
          <div className="flex shrink-0 gap-2 max-md:not-has-[>.btn-square:only-child]:w-full max-md:flex-wrap max-md:[&>.btn-primary]:order-first max-md:[&>.btn-primary]:grow max-md:[&>.btn:not(.btn-square,:only-child)]:grow">
            {actions}
          </div>
        )}
      </header>
      {useContext(PageBanner)}
    </>
  );
}

/** A small heading for a section of a page. `aside` is a link or a control at the right of the heading. */
export function SectionHeader({ title, aside, id }: { title: ReactNode; aside?: ReactNode; id?: string }) {
  return (
    <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-1">
      <h2 id={id} className="font-strong">
        {title}
      </h2>
      {aside}
    </div>
  );
}
