/**
 * The illustrations of empty and failed states. All have a waterline, the same stroke width and one shape in the
 * accent colour.
 */
const drawings = {
  'nothing-yet': (
    <>
      <path className="fill-base-200 stroke-base-300" d="M128 84a17 17 0 0 1 34 0" />
      <path d="M10 84h104M122 84h30M160 84h6" />
      <path d="M36 92h42M88 92h10M58 99h34" />
      <path
        className="fill-primary-tint stroke-primary"
        d="M97 14C74 26 62.5 45 60 70c17-3.6 36-3.6 56 0-10.5-16-16.8-34.7-19-56Z"
      />
      <path className="stroke-primary" d="M97 14c-7.5 16-11.3 34-11.5 53.5" />
      <path d="M85.4 67.5V77" />
      <path d="M56 84c1.2-4.6 4-7 8.5-7h46c4.5 0 7.3 2.4 8.5 7" />
    </>
  ),
  'no-result': (
    <>
      <path d="M10 84h46M120 84h34M162 84h4" />
      <path d="M60 92h50M122 92h14M40 92h8M66 99h30" />
      <path className="fill-primary-tint stroke-primary" d="m72 84 6.5-50h17L102 84Z" />
      <path className="stroke-primary" d="M76 54h22M74 69h26" />
      <path d="M78 34v-9h18v9M75 34h24M80 25c0-5.5 3-9 7-9s7 3.5 7 9" />
      <path d="M104 26l34-9M104 31l36 3M70 26l-34-9M70 31l-36 3" strokeDasharray="6 5" />
      <path d="M54 84c4-6 9-8 15-8M120 84c-3-6-8-8-14.5-8" />
    </>
  ),
  'failed-to-load': (
    <>
      <path d="M12 84h40M122 84h36" />
      <path d="M34 92c4-3 8-3 12 0s8 3 12 0 8-3 12 0 8 3 12 0 8-3 12 0 8 3 12 0 8-3 12 0 8 3 12 0" />
      <path d="M70 99c3-2 6-2 9 0s6 2 9 0 6-2 9 0 6 2 9 0" />
      <path d="M84 77C82.5 54 86 33 95 13" />
      <path className="fill-primary-tint stroke-primary" d="M84 70c12 3.5 28 2 49-7-9 13-28 17.5-49 11Z" />
      <path d="M56 84c1.2-4.6 4-7 8.5-7h46c4.5 0 7.3 2.4 8.5 7" />
      <path
        className="fill-base-200"
        d="M126 40h22a7.5 7.5 0 0 0 0-15c-1.1 0-2.1.2-3.1.6A11 11 0 0 0 123.6 28a6.2 6.2 0 0 0 2.4 12Z"
      />
      <path d="M36 40h18M28 47h12" />
    </>
  ),
  'no-withdrawals': (
    <>
      <path d="M10 84h156" />
      <path d="M36 92h20M68 92h46M126 92h12M52 99h30" />
      <path d="M44 84c3-20 2-37-5-52" />
      <path
        className="fill-primary-tint stroke-primary"
        d="M39 32c-9-8-20-8-27 0 9-2.5 17-2 27 0ZM39 32c-4-11-13-16-22-14 8 3 14 7 22 14ZM39 32c2-11 10-17 19-16-8 4-14 8.5-19 16ZM39 32c9-6 20-4 25 5-8-4-16-5.5-25-5Z"
      />
      <path d="M82 72c3 8 8 12 15 12h40c7 0 12-4 15-12-4.5 2-9.5 3-15 3H97c-5.5 0-10.5-1-15-3Z" />
      <path
        className="fill-primary-tint stroke-primary"
        d="M120 75c-.8-14 1.2-29 7-43 4.5 13 3.5 28-.5 43Z"
      />
      <path d="M127 32l1.8-5" />
      <path d="M104 75v-6h9v6" />
    </>
  ),
  'all-done': (
    <>
      <path className="fill-primary-tint stroke-primary" d="M62 84a26 26 0 0 1 52 0" />
      <path className="stroke-primary" d="m77 74 7.5 7.5L101 65" strokeWidth="2" />
      <path d="M88 44v-8M60.5 56.5l-6-6M115.5 56.5l6-6M48 76h-8M136 76h-8" />
      <path d="M10 84h104M122 84h30M160 84h6" />
      <path d="M36 92h42M88 92h10M58 99h34" />
      <path d="M34 38c3-4 6-4 8 0 2-4 5-4 8 0M128 28c2.5-3.5 5-3.5 7 0 2-3.5 4.5-3.5 7 0" />
    </>
  ),
};

export type DrawingName = keyof typeof drawings;

/** An illustration of 176 x 104 px. It is hidden from screen readers, because the title below it says the same. */
export function Drawing({ name }: { name: DrawingName }) {
  return (
    <svg
      width="176"
      height="104"
      viewBox="0 0 176 104"
      fill="none"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="stroke-control"
      aria-hidden="true"
    >
      {drawings[name]}
    </svg>
  );
}

/** The sail with a check mark that is shown when a charge is paid, 200 x 184 px. */
export function PaidSail({ className }: { className?: string }) {
  return (
    <svg
      width="200"
      height="184"
      viewBox="0 0 200 184"
      fill="none"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={className}
      aria-hidden="true"
    >
      <path
        className="fill-success-glyph"
        d="M111 3C67 31 38 74 28 131c48-8.5 96-8.5 144 0-26-34-46-76-61-128Z"
      />
      <path className="stroke-success" d="M98 124v20" strokeWidth="4" />
      <path
        className="fill-success"
        d="M20 142c6 3 13 4 22 4h116c9 0 16-1 22-4-3 9-9 14-18 14H38c-9 0-15-5-18-14Z"
      />
      <path className="stroke-success-tint" d="m66 87 18 18 35-42" strokeWidth="10.5" />
      <path
        className="stroke-success-glyph"
        d="M4 168h120M136 168h36M182 168h12M42 179h40M92 179h14"
        strokeWidth="2.5"
      />
    </svg>
  );
}
