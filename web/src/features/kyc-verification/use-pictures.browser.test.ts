import { expect, test, vi } from 'vitest';
import { renderHook } from 'vitest-browser-react';
import { usePictures } from './use-pictures.ts';

/** A picture whose first bytes can be read only after the test calls `finishReading`. */
function slowPicture(name: string) {
  const reading = Promise.withResolvers<void>();
  const file = new File([Uint8Array.of(0xff, 0xd8, 0xff), name], name);
  const firstBytes = file.slice(0, 12);
  const readFirstBytes = firstBytes.arrayBuffer.bind(firstBytes);
  firstBytes.arrayBuffer = () => reading.promise.then(readFirstBytes);
  file.slice = () => firstBytes;
  return { file, finishReading: reading.resolve };
}

test('the picture that was chosen last stays, whichever check ends first, and a removed picture does not return', async () => {
  const createdUrls = vi.spyOn(URL, 'createObjectURL');
  const revokedUrls = vi.spyOn(URL, 'revokeObjectURL');
  const { result, act } = await renderHook(usePictures);
  const { chooseFile, removePicture } = result.current;
  const [first, second, third] = [slowPicture('1.png'), slowPicture('2.png'), slowPicture('3.png')];
  const choices = [first, second].map(({ file }) => chooseFile('selfie', file));
  await act(async () => {
    second.finishReading();
    await choices[1];
    first.finishReading();
    await choices[0];
  });
  expect(result.current.pictures.selfie?.file.name).toBe('2.png');
  await act(async () => {
    const lateChoice = chooseFile('selfie', third.file);
    removePicture('selfie');
    third.finishReading();
    await lateChoice;
  });
  expect(result.current.pictures.selfie).toBeUndefined();
  expect(createdUrls).toHaveBeenCalledTimes(1);
  expect(revokedUrls).toHaveBeenCalledTimes(1);
  vi.restoreAllMocks();
});
