import path from 'node:path'
import { findRunningPostgres, startEmbeddedPostgres } from '../adapters/postgres/embedded/start.js'
import type { PostgresConnection } from '../adapters/postgres/database.js'
import type { Settings } from './settings.js'

export interface Postgres {
  readonly connection: PostgresConnection
  /** Stops what this process started; leaves alone what was there. */
  stop(): Promise<void>
}

type Needs = Pick<Settings, 'databaseUrl' | 'dataDir'>

/** The server that DATABASE_URL names, or the embedded one, which ends with this process. */
export async function openPostgres({ databaseUrl, dataDir }: Needs, log: (line: string) => void): Promise<Postgres> {
  if (databaseUrl !== undefined) return outside(databaseUrl)
  return startEmbeddedPostgres({ folder: embeddedFolder(dataDir), log })
}

/** As openPostgres, but joins the embedded one that a running server has started: for commands beside it. */
export async function joinPostgres(settings: Needs, log: (line: string) => void): Promise<Postgres> {
  if (settings.databaseUrl !== undefined) return outside(settings.databaseUrl)
  const running = await findRunningPostgres(embeddedFolder(settings.dataDir))
  return running ? { connection: running, stop: () => Promise.resolve() } : openPostgres(settings, log)
}

const embeddedFolder = (dataDir: string): string => path.join(dataDir, 'postgres')

const outside = (connectionString: string): Postgres => ({
  connection: { connectionString },
  stop: () => Promise.resolve(),
})
