import path from 'node:path'
import { findRunningPostgres, startEmbeddedPostgres } from '../adapters/postgres/embedded/start.ts'
import { openClient } from '../adapters/postgres/client.ts'
import type { PostgresConnection } from '../adapters/postgres/database.ts'
import { orPostgresUnavailable, PostgresUnavailable } from '../adapters/postgres/postgres-unavailable.ts'
import { refuseOtherEncoding, supportedVersion } from '../adapters/postgres/server-version.ts'
import { ServerAway } from '../process/server-away.ts'
import type { Settings } from '../process/settings/settings.ts'

export interface Postgres {
  readonly connection: PostgresConnection
  /** Resolves when the embedded Postgres ended by itself and is not restarted any more. Never resolves with DATABASE_URL. */
  readonly givenUp: Promise<Error>
  /** Stops what this process started, and nothing else. */
  stop(): Promise<void>
}

/** Reports from the Postgres that a server runs itself. */
export interface PostgresReports {
  /** Called with each line that Postgres reports. */
  readonly log: (line: string) => void
  /** Called with a line for each unexpected end. Postgres is then restarted, within bounds. */
  readonly onDeath: (line: string) => void
}

type Needs = Pick<Settings, 'databaseUrl' | 'dataDir'>

/**
 * The server that DATABASE_URL names, or the embedded one, which ends with this process. Rejects with ServerAway if the former
 * can't be reached.
 */
export async function openPostgres(
  { databaseUrl, dataDir }: Needs,
  { log, onDeath }: PostgresReports,
): Promise<Postgres> {
  if (databaseUrl !== undefined) return outside(databaseUrl)
  return startEmbeddedPostgres({ folder: embeddedFolder(dataDir), log, restarts: { onDeath } })
}

/** Like openPostgres, but joins the embedded one of a running server: for commands beside it. */
export async function joinPostgres(settings: Needs): Promise<Postgres> {
  if (settings.databaseUrl !== undefined) return outside(settings.databaseUrl)
  const running = await findRunningPostgres(embeddedFolder(settings.dataDir))
  if (running) return { connection: running, givenUp: never, stop: () => Promise.resolve() }
  return startEmbeddedPostgres({ folder: embeddedFolder(settings.dataDir) })
}

const never = new Promise<never>(() => undefined)

/** The folder of the embedded Postgres within the data folder. */
export const embeddedFolder = (dataDir: string): string => path.join(dataDir, 'postgres')

const connect_ms_max = 10_000

/**
 * Rejects if nobody answers, or with a Postgres that is too old or of another encoding, with a message without the password: a wrong setting shows at
 * start.
 */
async function outside(connectionString: string): Promise<Postgres> {
  const client = openClient({ connectionString }, { connectionTimeoutMillis: connect_ms_max })
  try {
    await client.connect()
    await supportedVersion(client)
    await refuseOtherEncoding(client)
  } catch (error) {
    throw unusable(error, new URL(connectionString).host)
  } finally {
    await client.end()
  }
  return { connection: { connectionString }, givenUp: never, stop: () => Promise.resolve() }
}

function unusable(error: unknown, host: string): Error {
  const reason = error instanceof Error ? error.message || error.name : String(error)
  const message = `DATABASE_URL: no Postgres can be used at ${host}: ${reason}`
  const isAway = orPostgresUnavailable(error) instanceof PostgresUnavailable
  return isAway ? new ServerAway('DATABASE_URL', message, { cause: error }) : new Error(message, { cause: error })
}
