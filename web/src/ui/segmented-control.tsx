import { useEffect, useId, useRef } from 'react';
import { classNames } from './class-names.ts';

export type Segment<Value extends string | number> = {
  value: Value;
  label: string;
  /** A count beside the word. */
  count?: string | number | undefined;
};

export type SegmentedControlProps<Value extends string | number> = {
  label: string;
  /** Draws the label above as a field has it; otherwise only screen readers hear it. */
  labelShown?: boolean;
  hint?: string;
  segments: readonly Segment<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  /** Filter bars are 36 high (44 under 768), forms as high as a field. */
  size?: 'small' | 'normal';
  /** As wide as its place; always so under 768 unless `inline`. */
  inline?: boolean;
  /** As wide as its place at any width. */
  block?: boolean;
  className?: string;
};

/** Up to four values side by side: radio buttons in a well, with the raised one chosen. */
export function SegmentedControl<Value extends string | number>({
  label,
  labelShown = false,
  hint,
  segments,
  value,
  onChange,
  size = 'small',
  inline = false,
  block = false,
  className,
}: SegmentedControlProps<Value>) {
  const name = useId();
  const root = useRef<HTMLFieldSetElement>(null);
  // A choice made on prerendered markup, before this ran, is a choice all the same.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what stands at the start counts
  useEffect(() => {
    const radios = [...(root.current?.querySelectorAll('input') ?? [])];
    const early = segments[radios.findIndex((radio) => radio.checked)];
    if (early !== undefined && early.value !== value) onChange(early.value);
  }, []);
  return (
    <fieldset
      ref={root}
      className={className}
      aria-describedby={hint === undefined ? undefined : `${name}-hint`}
    >
      <legend className={labelShown ? 'mb-1.5 font-label' : 'sr-only'}>{label}</legend>
      <div
        className={classNames(
          'rounded-field border border-base-300 bg-base-200 p-0.5',
          size === 'small' ? 'h-11 md:h-9' : 'h-[calc(var(--size-field)*10)]',
          'max-[18rem]:h-auto! max-[18rem]:flex-wrap',
          block ? 'flex' : 'inline-flex',
          !inline && 'max-md:flex',
        )}
      >
        {segments.map((segment) => (
          <label
            key={segment.value}
            className={classNames(
              'flex grow cursor-pointer items-center max-[18rem]:min-h-9 justify-center gap-1.5 rounded-[4px] border px-3 whitespace-nowrap max-[24rem]:px-2 transition-colors duration-120',
              // A finger may also hit the well's edge.
              'max-md:relative max-md:min-w-11 max-md:before:absolute max-md:before:inset-x-0 max-md:before:-inset-y-[3px]',
              'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary',
              'border-transparent text-muted hover:text-base-content',
              'has-checked:border-base-300 has-checked:bg-raised has-checked:font-medium has-checked:text-base-content',
            )}
          >
            <input
              type="radio"
              className="sr-only"
              name={name}
              checked={segment.value === value}
              onChange={() => onChange(segment.value)}
            />
            {segment.label}
            {segment.count !== undefined && (
              <span className="text-xs font-medium text-muted tabular-nums max-[22rem]:sr-only">
                {segment.count}
              </span>
            )}
          </label>
        ))}
      </div>
      {hint !== undefined && (
        <p id={`${name}-hint`} className="mt-1.5 text-xs text-muted">
          {hint}
        </p>
      )}
    </fieldset>
  );
}
