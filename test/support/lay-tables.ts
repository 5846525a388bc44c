import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { pino } from 'pino'
import { freshPolicy } from '../../domain/instance/fresh-policy.ts'
import { hearBreakingConnections } from '../../adapters/jobs/breaking-connections.ts'
import { layQueue } from '../../adapters/jobs/lay-queue.ts'
import { openDatabase, type PostgresConnection } from '../../adapters/postgres/database.ts'
import { openGuildhall } from '../../process/guildhall-server.ts'

/**
 * A program: `node lay-tables.js <connection as JSON>` makes every table of the product in an empty database, as a first start
 * does.
 */
const [given = ''] = process.argv.slice(2)
const connection = JSON.parse(given) as PostgresConnection
const logger = pino({ level: 'silent' })
const guildhall = await openGuildhall({
  settings: {
    http: { host: '127.0.0.1', port: 0 },
    publicUrl: undefined,
    webappUrl: undefined,
    gatewayUrl: undefined,
    dataDir: tmpdir(),
    mediaUrl: undefined,
    eventStoreUrl: undefined,
    natsServers: undefined,
    serviceName: 'guildhall',
    hosted: false,
    trustedProxies: [],
    adminApplicationId: undefined,
    rateLimits: false,
    smtp: undefined,
    instancePolicy: freshPolicy,
  },
  connection,
  personalDataKey: randomBytes(32),
  logger,
})
await guildhall.close()
// A server makes this one only if it has mails to send.
const database = openDatabase(connection)
hearBreakingConnections(database, logger)
await layQueue(database, logger)
// Each test has a key of its own.
await database.pool.query('delete from personal_data.instance_key; delete from served.settings')
await database.close()
