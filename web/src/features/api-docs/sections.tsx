import type { Section } from '@jangada/contract/docs';
import { DocsBlock } from './blocks.tsx';

/**
 * The chapters with their sections, below each other; with `chapterLimit`, only the first chapters. Where the page is
 * wide enough, the samples of a section stand beside its text.
 */
export function Sections({
  sections,
  chapterLimit,
}: {
  sections: readonly Section[];
  chapterLimit?: number;
}) {
  return (
    <div className="@container grid min-w-0 gap-14">
      {sections.slice(0, chapterLimit).map((section) => (
        <section key={section.id} aria-labelledby={section.id} className="grid min-w-0 gap-12">
          <SectionContent section={section} isChapter />
          {section.sections?.map((inner) => (
            <section key={inner.id} aria-labelledby={inner.id} className="min-w-0">
              <SectionContent section={inner} />
            </section>
          ))}
        </section>
      ))}
    </div>
  );
}

function SectionContent({ section, isChapter = false }: { section: Section; isChapter?: boolean }) {
  const { id, title, blocks, beside = [] } = section;
  const Title = isChapter ? 'h2' : 'h3';
  return (
    <div className={isChapter ? 'border-t border-base-300 pt-10' : ''}>
      <Title id={id} className={`group/title font-strong ${isChapter ? 'text-lg' : 'text-base'}`}>
        <a href={`#${id}`} className="-my-0.5 inline-block py-0.5 hover:underline">
          {title}
        </a>
      </Title>
      <div
        className={beside.length > 0 ? splitClass : `mt-3 grid gap-4 ${isWide(section) ? '' : 'max-w-184'}`}
      >
        <div className="grid min-w-0 content-start gap-4">
          {blocks.map((block, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a section never move
            <DocsBlock key={index} block={block} />
          ))}
        </div>
        {beside.length > 0 && (
          <div className="grid min-w-0 content-start gap-4 @min-[54rem]:sticky @min-[54rem]:top-(--docs-top) @min-[54rem]:self-start">
            {beside.map((block, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a section never move
              <DocsBlock key={index} block={block} />
            ))}
          </div>
        )}
      </div>
    </div>
  );
}

/** True for a section with a table of many columns, which needs the full width of the page. */
function isWide({ blocks }: Section): boolean {
  return blocks.some((block) => block.kind === 'table' && block.head.length > 3);
}

const splitClass = 'mt-3 grid gap-x-10 gap-y-6 @min-[54rem]:grid-cols-2';

/** The table of contents: the chapters, each with its sections. */
export function Contents({ sections }: { sections: readonly Section[] }) {
  return (
    <ul className="grid grid-cols-1 gap-4">
      {sections.map(({ id, title, sections: inner }) => (
        <li key={id}>
          <a href={`#${id}`} className={`${entryClass} font-label`}>
            {title}
          </a>
          {inner !== undefined && (
            <ul className="mt-0.5">
              {inner.map((innerSection) => (
                <li key={innerSection.id}>
                  <a href={`#${innerSection.id}`} className={`${entryClass} pl-5 text-muted`}>
                    {innerSection.title}
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
