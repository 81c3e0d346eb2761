import type { Section } from '@jangada/contract/docs';
import { DocsBlock } from './blocks.tsx';

/** Every section, or the first chapters, one below the other: text, and what shows it beside it where there is room. */
export function Sections({ sections, chapters }: { sections: readonly Section[]; chapters?: number }) {
  return (
    <div className="@container grid min-w-0 gap-14">
      {sections.slice(0, chapters).map((section) => (
        <section key={section.id} aria-labelledby={section.id} className="grid min-w-0 gap-12">
          <Part section={section} chapter />
          {section.sections?.map((inner) => (
            <section key={inner.id} aria-labelledby={inner.id} className="min-w-0">
              <Part section={inner} />
            </section>
          ))}
        </section>
      ))}
    </div>
  );
}

function Part({ section, chapter = false }: { section: Section; chapter?: boolean }) {
  const { id, title, blocks, beside = [] } = section;
  const Title = chapter ? 'h2' : 'h3';
  return (
    <div className={chapter ? 'border-t border-base-300 pt-10' : ''}>
      <Title id={id} className={`group/title font-strong ${chapter ? 'text-lg' : 'text-base'}`}>
        <a href={`#${id}`} className="-my-0.5 inline-block py-0.5 hover:underline">
          {title}
        </a>
      </Title>
      <div className={beside.length > 0 ? split : `mt-3 grid gap-4 ${isWide(section) ? '' : 'max-w-184'}`}>
        <div className="grid min-w-0 content-start gap-4">
          {blocks.map((block, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a section never move
            <DocsBlock key={at} block={block} />
          ))}
        </div>
        {beside.length > 0 && (
          <div className="grid min-w-0 content-start gap-4 @min-[54rem]:sticky @min-[54rem]:top-(--docs-top) @min-[54rem]:self-start">
            {beside.map((block, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a section never move
              <DocsBlock key={at} block={block} />
            ))}
          </div>
        )}
      </div>
    </div>
  );
}

/** A table of many columns takes all there is. */
function isWide({ blocks }: Section): boolean {
  return blocks.some((block) => block.kind === 'table' && block.head.length > 3);
}

const split = 'mt-3 grid gap-x-10 gap-y-6 @min-[54rem]:grid-cols-2';

/** The table of contents: chapters, and the sections of each. */
export function Contents({ sections }: { sections: readonly Section[] }) {
  return (
    <ul className="grid grid-cols-1 gap-4">
      {sections.map(({ id, title, sections: inner }) => (
        <li key={id}>
          <a href={`#${id}`} className={`${entry} font-label`}>
            {title}
          </a>
          {inner !== undefined && (
            <ul className="mt-0.5">
              {inner.map((one) => (
                <li key={one.id}>
                  <a href={`#${one.id}`} className={`${entry} pl-5 text-muted`}>
                    {one.title}
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

const entry =
  'block rounded-field px-2 py-1 hover:bg-hover hover:text-base-content aria-[current]:bg-primary-tint aria-[current]:text-primary';
