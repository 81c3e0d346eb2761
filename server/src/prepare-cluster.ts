// npm run cluster:prepare: spreads the tables of the gateway's database over the servers of a Citus cluster.
import { InvalidSetting, readConfig } from './config.ts';
import { connectClient } from './db/client.ts';
import { distributeTables, isCluster } from './db/cluster.ts';
import { migrate } from './db/migrate.ts';
import { openDatabase } from './db/open-database.ts';
import { runCommand } from './run-command.ts';

await runCommand(async () => {
  const config = readConfig(process.env);
  if (config.databaseUrl === undefined)
    throw new InvalidSetting('no DATABASE_URL: a cluster is a PostgreSQL of your own (docs/cluster.md)');
  const { ownerUrl, appRole } = await openDatabase(config);
  await migrate({ ownerUrl });
  const client = await connectClient(ownerUrl);
  try {
    if (await isCluster(client)) {
      console.log('The tables are spread over the cluster already.');
      return;
    }
    await distributeTables(client, appRole !== undefined);
    console.log('The tables are spread over the cluster. Start the gateway again.');
  } finally {
    await client.end();
  }
});
