import type { Block, Field } from '@jangada/contract/docs';
import { CodeBlock, SampleBlock } from './code-block.tsx';
import { Inline } from './inline.tsx';

/** Renders one block of the documentation: a text, a list, a table, a call of the API, or code. */
export function DocsBlock({ block }: { block: Block }) {
  switch (block.kind) {
    case 'text':
      return (
        <p>
          <Inline text={block.text} />
        </p>
      );
    case 'note':
      return (
        <p className="rounded-box border border-primary/20 bg-primary-tint px-4 py-3 text-base-content">
          <Inline text={block.text} />
        </p>
      );
    case 'list':
      return <ListItems items={block.items} ordered={block.ordered} />;
    case 'table':
      return <DocsTable {...block} />;
    case 'fields':
      return <Fields {...block} />;
    case 'call':
      return <EndpointCall {...block} />;
    case 'samples':
      return <SampleBlock label={block.label} samples={block.samples} />;
    case 'code':
      return <CodeBlock label={block.label} code={block.code} />;
  }
}

function ListItems({ items, ordered }: { items: readonly string[]; ordered: boolean }) {
  const List = ordered ? 'ol' : 'ul';
  return (
    <List className={`grid gap-2 pl-5 ${ordered ? 'list-decimal' : 'list-disc'} marker:text-muted`}>
      {items.map((item) => (
        <li key={item} className="pl-1">
          <Inline text={item} />
        </li>
      ))}
    </List>
  );
}

/** A table of the documentation. On phones, the cells of a row are stacked. */
function DocsTable({ label, head, rows, rowIds }: Extract<Block, { kind: 'table' }>) {
  return (
    <table className="w-full text-left align-top max-md:block" aria-label={label}>
      <thead className="max-md:sr-only">
        <tr className="border-b border-base-300">
          {head.map((cell) => (
            <th key={cell} scope="col" className="py-2 pr-4 font-label text-muted last:pr-0">
              <Inline text={cell} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-md:block">
        {rows.map((cells, index) => (
          <tr
            key={cells[0]}
            id={rowIds?.[index]}
            className="border-b border-base-300 align-top last:border-0 target:bg-primary-tint max-md:grid max-md:gap-1 max-md:py-3"
          >
            {cells.map((cell, column) => (
              <td
                key={head[column]}
                className={`md:py-2.5 md:pr-4 md:last:pr-0 ${column > 0 ? 'max-md:text-muted' : 'md:[&_code]:whitespace-nowrap'}`}
              >
                <Inline text={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The fields of a request or response, with a heading. A folded list opens when the heading is pressed. */
function Fields({ label, fields, folded }: Extract<Block, { kind: 'fields' }>) {
  if (folded)
    return (
      <details className="rounded-box border border-base-300">
        <summary className="px-4 py-2.5 font-label">{label}</summary>
        <div className="px-4 pb-2">
          <FieldList fields={fields} />
        </div>
      </details>
    );
  return (
    <div>
      <h4 className="font-strong text-base-content">{label}</h4>
      <FieldList fields={fields} />
    </div>
  );
}

function FieldList({ fields }: { fields: readonly Field[] }) {
  return (
    <dl className="mt-1 divide-y divide-base-300">
      {fields.map(({ name, type, required, text }) => (
        <div key={name} className="py-2.5">
          <dt className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
            <code className="font-mono text-xs font-strong text-base-content wrap-anywhere">{name}</code>
            <span className="text-xs text-muted">
              <Inline text={type} />
              {required ? '' : ', opcional'}
            </span>
          </dt>
          <dd className="mt-0.5 text-muted">
            <Inline text={text} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const methodColours: Readonly<Record<string, string>> = {
  GET: 'bg-primary-tint text-primary',
  POST: 'bg-success-tint text-success',
  PUT: 'bg-warning-tint text-warning',
  DELETE: 'bg-error-tint text-error',
};

/** A call of the API: its method, its path, and short facts about it. */
function EndpointCall({ method, path, facts }: Extract<Block, { kind: 'call' }>) {
  return (
    <div>
      <p className="flex flex-wrap items-center gap-2 font-mono text-xs">
        <span className={`rounded-sm px-1.5 py-0.5 font-strong ${methodColours[method]}`}>{method}</span>
        <span className="wrap-anywhere">{path}</span>
      </p>
      {facts.length > 0 && (
        <p className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
          {facts.map((fact) => (
            <span key={fact}>
              <Inline text={fact} />
            </span>
          ))}
        </p>
      )}
    </div>
  );
}
