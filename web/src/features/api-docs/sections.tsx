import type { Section } from '@jangada/contract/docs';
import { DocsBlock } from './blocks.tsx';

/**
 * The chapters of the documentation; with `chapterLimit`, only that many. A chapter is a section at the top level, and
 * may contain further sections. On a wide page, the samples of a section stand beside its text.
 */
export function Chapters({
  chapters,
  chapterLimit,
}: {
  chapters: readonly Section[];
  chapterLimit?: number;
}) {
  return (
    <div className="@container grid min-w-0 gap-14">
      {chapters.slice(0, chapterLimit).map((chapter) => (
        <section key={chapter.id} aria-labelledby={chapter.id} className="grid min-w-0 gap-12">
          <SectionContent section={chapter} isChapter />
          {chapter.sections?.map((section) => (
            <section key={section.id} aria-labelledby={section.id} className="min-w-0">
              <SectionContent section={section} />
            </section>
          ))}
        </section>
      ))}
    </div>
  );
}

function SectionContent({ section, isChapter = false }: { section: Section; isChapter?: boolean }) {
  const { id, title, blocks, samples = [] } = section;
  const Heading = isChapter ? 'h2' : 'h3';
  const hasSamples = samples.length > 0;
  const oneColumnClass = hasWideTable(section) ? fullWidthClass : readingWidthClass;
  return (
    <div className={isChapter ? 'border-t border-base-300 pt-10' : ''}>
      <Heading id={id} className={`group/title font-strong ${isChapter ? 'text-lg' : 'text-base'}`}>
        <a href={`#${id}`} className="-my-0.5 inline-block py-0.5 hover:underline">
          {title}
        </a>
      </Heading>
      <div className={hasSamples ? twoColumnsClass : oneColumnClass}>
        <div className="grid min-w-0 content-start gap-4">
          {blocks.map((block, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a section never change their order
            <DocsBlock key={index} block={block} />
          ))}
        </div>
        {hasSamples && (
          <div className="grid min-w-0 content-start gap-4 @min-[54rem]:sticky @min-[54rem]:top-(--docs-top) @min-[54rem]:self-start">
            {samples.map((block, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a section never change their order
              <DocsBlock key={index} block={block} />
            ))}
          </div>
        )}
      </div>
    </div>
  );
}

/** True for a section with a table of many columns, which needs the full width of the page. */
function hasWideTable({ blocks }: Section): boolean {
  return blocks.some((block) => block.kind === 'table' && block.head.length > 3);
}

/** Text and samples side by side, or stacked on a narrow page. */
const twoColumnsClass = 'mt-3 grid gap-x-10 gap-y-6 @min-[54rem]:grid-cols-2';
const fullWidthClass = 'mt-3 grid gap-4';
/** Limits the width of the text, because long lines are tiring to read. */
const readingWidthClass = 'mt-3 grid gap-4 max-w-184';

/** The links to the chapters, and to the sections of each. */
export function TableOfContents({ chapters }: { chapters: readonly Section[] }) {
  return (
    <ul className="grid grid-cols-1 gap-4">
      {chapters.map(({ id, title, sections }) => (
        <li key={id}>
          <a href={`#${id}`} className={`${entryClass} font-label`}>
            {title}
          </a>
          {sections !== undefined && (
            <ul className="mt-0.5">
              {sections.map((section) => (
                <li key={section.id}>
                  <a href={`#${section.id}`} className={`${entryClass} pl-5 text-muted`}>
                    {section.title}
                  </a>
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  );
}

const entryClass =
  'block rounded-field px-2 py-1 hover:bg-hover hover:text-base-content aria-[current]:bg-primary-tint aria-[current]:text-primary';
