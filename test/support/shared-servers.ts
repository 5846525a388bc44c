import { randomBytes } from 'node:crypto'
import { startNatsServer } from './nats-server.ts'
import { laidDatabase } from './test-database.ts'

/** Starts a database and a NATS for the processes of one instance, and gives the settings that these share. */
export async function sharedServers(closings: (() => Promise<unknown>)[]) {
  const { connection, close } = await laidDatabase()
  closings.push(close)
  const nats = await startNatsServer()
  closings.push(() => nats.stop())
  return { connection, personalDataKey: randomBytes(32), natsServers: [nats.url] }
}
