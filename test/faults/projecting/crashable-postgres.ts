import { chmodSync, mkdtempSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../../adapters/postgres/embedded/start.ts'
import type { PostgresConnection } from '../../../adapters/postgres/database.ts'
import { postmasterOn, processesOn } from '../../adapters/postgres/embedded/support.ts'
import { layPostgres } from '../../support/lay-postgres.ts'
import { until } from '../../projections/support/world.ts'
import { patience_ms } from '../../support/pace.ts'

/** A separate Postgres that can crash, and comes back at the same address with what it had written. */
export interface CrashablePostgres {
  readonly connection: PostgresConnection
  /** Stops it as `pg_ctl stop -m immediate` does: all its processes end at once, without a checkpoint. */
  crash(): Promise<void>
  /** Kills all its processes, like a power loss that keeps only what was synced. */
  kill(): Promise<void>
  /** Whether a statement finds a row for a value, on a new connection. */
  hasRow(statement: string, value: string): Promise<boolean>
  /** Starts it again; it recovers from its log. */
  restart(): Promise<void>
  /** Stops it and removes its folder. */
  remove(): Promise<void>
}

/** With every table of the product. `settings` are settings of Postgres by name, added to those of the product. */
export async function crashablePostgres(settings: Readonly<Record<string, string>> = {}): Promise<CrashablePostgres> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'gh-crash-'))
  // Postgres never runs as root, and must be able to enter.
  chmodSync(home, 0o755)
  const folder = path.join(home, 'postgres')
  // Each start has its own socket folder. Clients connect by a link to the newest one.
  const link = path.join(home, 'socket')
  await layPostgres(folder)
  let postgres: EmbeddedPostgres = await startEmbeddedPostgres({ folder, settings })
  symlinkSync(postgres.connection.host, link)
  return {
    connection: { ...postgres.connection, host: link },
    async crash() {
      const pid = postmasterOn(folder)?.pid
      if (pid === undefined) throw new Error('No Postgres runs')
      process.kill(pid, 'SIGQUIT')
      await until(() => processesOn(folder).every(({ command }) => command !== 'postgres'), patience_ms)
    },
    async kill() {
      // Kill the postmaster first: otherwise it would replace the processes that die.
      const pid = postmasterOn(folder)?.pid
      if (pid === undefined) throw new Error('No Postgres runs')
      process.kill(pid, 'SIGKILL')
      for (const other of processesOn(folder)) if (other.command === 'postgres') killIfThere(other.pid)
      await until(() => processesOn(folder).every(({ command }) => command !== 'postgres'), patience_ms)
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

/** Ignores a process that has meanwhile ended by itself. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
