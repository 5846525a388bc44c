import path from 'node:path'
import pg from 'pg'
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

const connect_ms_max = 10_000

/** Rejects where nobody answers, and says so without the password: a wrong setting shows at start. */
async function outside(connectionString: string): Promise<Postgres> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: connect_ms_max })
  try {
    await client.connect()
  } catch (error) {
    const { host } = new URL(connectionString)
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`DATABASE_URL: no Postgres can be used at ${host}: ${reason}`, { cause: error })
  } finally {
    await client.end()
  }
  return { connection: { connectionString }, stop: () => Promise.resolve() }
}
