/** Saves a file through the browser's downloads. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The URL stays valid for a minute, because the browser may read the blob only after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
