import { changeBrand, getBrand, logoPicture, removeLogo, uploadLogo } from '@jangada/contract';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { FileResponse } from '../http/file-response.ts';
import { type Route, route } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { brandOf, changeLogo, deleteLogo, findBrand, findLogo, writeBrand } from './brand.ts';

/** The endpoints with which a merchant customises the payers' pages, and the logo that those pages load. */
export function checkoutRoutes(deps: Deps): Route[] {
  const readBrand = async (merchantId: number) => brandOf(await findBrand(deps.db, merchantId));
  return [
    route(getBrand, ({ caller }) => readBrand(caller.accountId)),
    route(changeBrand, async ({ caller, body }) => {
      const brand = { displayName: body.display_name, colour: body.colour };
      await inTransaction(deps, (tx) => writeBrand(tx, caller.accountId, brand));
      return readBrand(caller.accountId);
    }),
    route(uploadLogo, async ({ caller, files }) => {
      await changeLogo(deps, caller.accountId, files.logo);
      return readBrand(caller.accountId);
    }),
    route(removeLogo, async ({ caller }) => {
      await inTransaction(deps, (tx) => deleteLogo(tx, caller.accountId));
      return readBrand(caller.accountId);
    }),
    route(logoPicture, async ({ params }) => {
      const content = await findLogo(deps.db, params.id);
      if (content === undefined) throw new Refusal('PICTURE_NOT_FOUND');
      // A changed logo gets a new id, so clients may cache this one for good.
      return new FileResponse({
        contentType: 'image/webp',
        fileName: 'logo.webp',
        content,
        isInline: true,
        immutable: true,
      });
    }),
  ];
}
