import { chmodSync, mkdtempSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../../adapters/postgres/embedded/start.js'
import type { PostgresConnection } from '../../../adapters/postgres/database.js'
import { postmasterOn, processesOn } from '../../adapters/postgres/embedded/support.js'
import { until } from '../../projections/support/world.js'

/** A Postgres of its own that can crash, and comes back at the same address with what it had written. */
export interface CrashablePostgres {
  readonly connection: PostgresConnection
  /** Stops it as `pg_ctl stop -m immediate` does: every process of it ends at once, without a checkpoint. */
  crash(): Promise<void>
  /** Kills every process of it, as a host does that loses its power and keeps what was synced. */
  kill(): Promise<void>
  /** Whether a statement finds a row for a value, on a connection of its own. */
  hasRow(statement: string, value: string): Promise<boolean>
  /** Starts it again; it recovers from its log. */
  restart(): Promise<void>
  /** Ends it and removes its folder. */
  remove(): Promise<void>
}

const gone_ms_max = 10_000

/** With settings of Postgres by name, beside those of the product. */
export async function crashablePostgres(settings: Readonly<Record<string, string>> = {}): Promise<CrashablePostgres> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'gh-crash-'))
  // Postgres never runs as root, and has to get in.
  chmodSync(home, 0o755)
  const folder = path.join(home, 'postgres')
  // Each start has a socket folder of its own: what is connected to is a link to the newest.
  const link = path.join(home, 'socket')
  let postgres: EmbeddedPostgres = await startEmbeddedPostgres({ folder, settings })
  symlinkSync(postgres.connection.host, link)
  return {
    connection: { ...postgres.connection, host: link },
    async crash() {
      const pid = postmasterOn(folder)?.pid
      if (pid === undefined) throw new Error('No Postgres runs')
      process.kill(pid, 'SIGQUIT')
      await until(() => processesOn(folder).every(({ command }) => command !== 'postgres'), gone_ms_max)
    },
    async kill() {
      // The postmaster first: it would start others for those that die.
      const pid = postmasterOn(folder)?.pid
      if (pid === undefined) throw new Error('No Postgres runs')
      process.kill(pid, 'SIGKILL')
      for (const other of processesOn(folder)) if (other.command === 'postgres') killIfThere(other.pid)
      await until(() => processesOn(folder).every(({ command }) => command !== 'postgres'), gone_ms_max)
    },
    async hasRow(statement, value) {
      const client = new pg.Client(postgres.connection)
      await client.connect()
      const { rowCount } = await client.query(statement, [value])
      await client.end()
      return rowCount !== 0
    },
    async restart() {
      await postgres.stop()
      postgres = await startEmbeddedPostgres({ folder, settings })
      unlinkSync(link)
      symlinkSync(postgres.connection.host, link)
    },
    async remove() {
      await postgres.stop()
      rmSync(home, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}

/** One that has ended by itself since it was seen is as gone. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
