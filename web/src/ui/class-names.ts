/** Joins class names with spaces, and leaves out falsy values, so that a class can depend on a condition. */
export function classNames(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}
