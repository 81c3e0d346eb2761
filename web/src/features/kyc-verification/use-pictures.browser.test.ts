import { expect, test, vi } from 'vitest';
import { renderHook } from 'vitest-browser-react';
import { usePictures } from './use-pictures.ts';

/** A picture whose beginning is read only once the test lets it. */
function slowPicture(name: string) {
  const read = Promise.withResolvers<void>();
  const file = new File([Uint8Array.of(0xff, 0xd8, 0xff), name], name);
  const head = file.slice(0, 12);
  const bytes = head.arrayBuffer.bind(head);
  head.arrayBuffer = () => read.promise.then(bytes);
  file.slice = () => head;
  return { file, read: read.resolve };
}

test('of two pictures chosen for a side the later one stays, whichever is looked at first, and one taken out does not come back', async () => {
  const addressed = vi.spyOn(URL, 'createObjectURL');
  const forgotten = vi.spyOn(URL, 'revokeObjectURL');
  const { result, act } = await renderHook(usePictures);
  const { put, remove } = result.current;
  const [first, second, third] = [slowPicture('1.png'), slowPicture('2.png'), slowPicture('3.png')];
  const choices = [first, second].map(({ file }) => put('selfie', file));
  await act(async () => {
    second.read();
    await choices[1];
    first.read();
    await choices[0];
  });
  expect(result.current.pictures.selfie?.file.name).toBe('2.png');
  await act(async () => {
    const late = put('selfie', third.file);
    remove('selfie');
    third.read();
    await late;
  });
  expect(result.current.pictures.selfie).toBeUndefined();
  expect(addressed).toHaveBeenCalledTimes(1);
  expect(forgotten).toHaveBeenCalledTimes(1);
  vi.restoreAllMocks();
});
