/** The file of calls prepared under a name. */
export function fileOf(files: ReadonlyMap<string, string>, name: string): string {
  const file = files.get(name);
  if (file === undefined) throw new Error(`Nothing was prepared for ${name}.`);
  return file;
}
