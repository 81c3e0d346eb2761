// Orders as files, so that the example needs no database. In a shop of yours: a table, and a unique index for `shipOnce`.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const orders = new URL('data/orders/', import.meta.url);
const shipments = new URL('data/shipments/', import.meta.url);
for (const folder of [orders, shipments]) mkdirSync(folder, { recursive: true });

export function placeOrder(id, { name, price }) {
  writeNew(new URL(`${id}.json`, orders), JSON.stringify({ name, price }));
}

export function findOrder(id) {
  if (!/^[0-9a-f-]{36}$/.test(id)) return undefined;
  const file = new URL(`${id}.json`, orders);
  if (!existsSync(file)) return undefined;
  return { ...JSON.parse(readFileSync(file, 'utf8')), isShipped: existsSync(new URL(id, shipments)) };
}

/** Whether this call was the first for the order: only then it is to be shipped. */
export function shipOnce(id, paymentId) {
  return writeNew(new URL(id, shipments), paymentId);
}

/** Makes a file that is not there; of many that try at once, one succeeds. */
function writeNew(file, text) {
  try {
    writeFileSync(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}
