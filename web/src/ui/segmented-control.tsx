import { useEffect, useId, useRef } from 'react';
import { classNames } from './class-names.ts';

export type Segment<Value extends string | number> = {
  value: Value;
  label: string;
  /** A number beside the label. */
  count?: string | number | undefined;
};

export type SegmentedControlProps<Value extends string | number> = {
  label: string;
  /** Shows the label above the control, as in a field. Otherwise only screen readers get the label. */
  labelShown?: boolean;
  hint?: string;
  segments: readonly Segment<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  /** `small`, for filter bars, is 36 px high (44 px at widths below 768 px). `normal` is as high as a field. */
  size?: 'small' | 'normal';
  /** Keeps the control from filling the width of its container below 768 px. */
  inline?: boolean;
  /** Fills the width of its container at any viewport width. */
  block?: boolean;
  className?: string;
};

/** A choice of a few values side by side: radio buttons in a sunken box (a well), with the selected one raised. */
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
  // On a prerendered page the user may have chosen a value before this script was loaded. That choice is taken over.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, because only the state at the start matters
  useEffect(() => {
    const radios = [...(root.current?.querySelectorAll('input') ?? [])];
    const checkedSegment = segments[radios.findIndex((radio) => radio.checked)];
    if (checkedSegment !== undefined && checkedSegment.value !== value) onChange(checkedSegment.value);
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
          <SegmentOption
            key={segment.value}
            name={name}
            segment={segment}
            value={value}
            onChange={onChange}
          />
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

type SegmentOptionProps<Value extends string | number> = {
  name: string;
  segment: Segment<Value>;
  value: Value;
  onChange: (value: Value) => void;
};

function SegmentOption<Value extends string | number>({
  name,
  segment,
  value,
  onChange,
}: SegmentOptionProps<Value>) {
  return (
    <label
      className={classNames(
        'flex grow cursor-pointer items-center max-[18rem]:min-h-9 justify-center gap-1.5 rounded-[4px] border px-3 whitespace-nowrap max-[24rem]:px-2 transition-colors duration-120',
        // Extends the touch area to the edge of the well.
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
  );
}
