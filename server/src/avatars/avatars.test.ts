import { profile, uploadAvatar } from '@jangada/contract';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { parseSuccess } from '../../test/given.ts';
import { payload, photo } from '../../test/hostile-pictures.ts';
import { givenPerson, type Person } from '../../test/people.ts';
import { runConcurrently } from '../../test/run-concurrently.ts';
import { download, upload } from '../../test/upload.ts';
import { changeAvatar } from './routes.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
});
afterAll(() => gateway.stop());

const uploadAvatarOf = (person: Person, avatar: Buffer) =>
  upload(gateway, '/authed/user/avatar', { avatar }, person);
const pathOf = async (person: Person) => {
  const { user } = parseSuccess(
    profile.response,
    await gateway.api('GET', '/authed/profile', undefined, person),
  );
  return user.avatar.replace(/^\/api/, '');
};

test('a picture becomes a 256-pixel WebP at its own URL, cacheable for ever', async () => {
  const person = await givenPerson(gateway.deps);
  const { avatar } = parseSuccess(uploadAvatar.response, await uploadAvatarOf(person, await photo(640, 480)));
  expect(`/api${await pathOf(person)}`).toBe(avatar);
  const { status, headers, bytes } = await download(gateway, await pathOf(person));
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-disposition': 'inline; filename="avatar.webp"',
    'content-security-policy': "default-src 'none'; sandbox",
  });
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 256, height: 256 });
  const messages = await gateway.deps.db.selectFrom('outbox').select('payload').execute();
  expect(messages.filter(({ payload }) => payload?.includes('"account"'))).toHaveLength(1);
});

test('another picture has another URL; the earlier one, and after a removal the later one, is gone', async () => {
  const person = await givenPerson(gateway.deps);
  const first = parseSuccess(uploadAvatar.response, await uploadAvatarOf(person, await photo(64, 64))).avatar;
  const second = parseSuccess(
    uploadAvatar.response,
    await uploadAvatarOf(person, await photo(64, 64)),
  ).avatar;
  expect(second).not.toBe(first);
  expect((await download(gateway, first.slice(4))).status).toBe(404);
  expect((await download(gateway, second.slice(4))).status).toBe(200);
  expect((await gateway.api('DELETE', '/authed/user/avatar', undefined, person)).status).toBe(200);
  expect(await pathOf(person)).toBe('');
  expect((await download(gateway, second.slice(4))).status).toBe(404);
  expect((await download(gateway, '/avatars/nobody')).status).toBe(404);
});

test('after concurrent uploads, the picture of the current URL is the stored one', async () => {
  const person = await givenPerson(gateway.deps);
  const picture = await photo(64, 64);
  const results = await runConcurrently(4, () => changeAvatar(gateway.deps, person.id, picture));
  expect(results.every(({ status }) => status === 'fulfilled')).toBe(true);
  expect((await download(gateway, await pathOf(person))).status).toBe(200);
});

test.each([
  [
    'a file that is not a picture',
    payload,
    'IMAGE_NOT_ACCEPTED',
    'Por favor, selecione uma imagem válida (JPEG, PNG, GIF)',
  ],
  [
    'nothing',
    Buffer.alloc(0),
    'IMAGE_NOT_ACCEPTED',
    'Por favor, selecione uma imagem válida (JPEG, PNG, GIF)',
  ],
  [
    'more than 2 MB',
    Buffer.alloc(2 * 1024 * 1024 + 1),
    'AVATAR_TOO_LARGE',
    'A imagem deve ter no máximo 2MB',
  ],
])('%s is refused with the text of the specification', async (_, bytes, code, message) => {
  const person = await givenPerson(gateway.deps);
  expect(await uploadAvatarOf(person, bytes)).toMatchObject({
    status: 400,
    body: { message, error: { code } },
  });
  expect(await pathOf(person)).toBe('');
});

test('uploads are limited per hour', async () => {
  const person = await givenPerson(gateway.deps);
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 31; attempt += 1)
    statuses.push((await uploadAvatarOf(person, payload)).status);
  expect(statuses).toEqual([...Array(30).fill(400), 429]);
  await gateway.advance(3601);
  expect((await uploadAvatarOf(person, await photo(32, 32))).status).toBe(200);
});

test('files are accepted only by upload endpoints, which accept nothing else, and one upload of an account at a time', async () => {
  const person = await givenPerson(gateway.deps);
  const files = { avatar: await photo(32, 32) };
  const elsewhere = await upload(gateway, '/authed/notifications/read', files, person);
  expect(elsewhere).toMatchObject({ status: 415, body: { error: { code: 'UNSUPPORTED_MEDIA_TYPE' } } });
  const json = await gateway.api('POST', '/authed/user/avatar', { avatar: 'x' }, person);
  expect(json).toMatchObject({
    status: 415,
    body: { message: 'Envie os arquivos como multipart/form-data.' },
  });
  expect(await upload(gateway, '/authed/user/avatar', files, {})).toMatchObject({ status: 401 });
  const [first, second] = await Promise.all([
    uploadAvatarOf(person, files.avatar),
    uploadAvatarOf(person, files.avatar),
  ]);
  expect([first.status, second.status].sort()).toEqual([200, 503]);
});
