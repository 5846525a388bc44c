import { chmodSync, mkdtempSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../../adapters/postgres/embedded/start.js'
import type { PostgresConnection } from '../../../adapters/postgres/database.js'
import { postmasterOn, processesOn } from '../../adapters/postgres/embedded/support.js'
import { until } from '../../projections/support/world.js'

/** A Postgres of its own that can crash, and comes back at the same address with what it had written. */
export interface CrashablePostgres {
  readonly connection: PostgresConnection
  /** Stops it as `pg_ctl stop -m immediate` does: every process of it ends at once, without a checkpoint. */
  crash(): Promise<void>
  /** Starts it again; it recovers from its log. */
  restart(): Promise<void>
  /** Ends it and removes its folder. */
  remove(): Promise<void>
}

const gone_ms_max = 10_000

export async function crashablePostgres(): Promise<CrashablePostgres> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'gh-crash-'))
  // Postgres never runs as root, and has to get in.
  chmodSync(home, 0o755)
  const folder = path.join(home, 'postgres')
  // Each start has a socket folder of its own: what is connected to is a link to the newest.
  const link = path.join(home, 'socket')
  let postgres: EmbeddedPostgres = await startEmbeddedPostgres({ folder })
  symlinkSync(postgres.connection.host, link)
  return {
    connection: { ...postgres.connection, host: link },
    async crash() {
      const pid = postmasterOn(folder)?.pid
      if (pid === undefined) throw new Error('No Postgres runs')
      process.kill(pid, 'SIGQUIT')
      await until(() => processesOn(folder).every(({ command }) => command !== 'postgres'), gone_ms_max)
    },
    async restart() {
      await postgres.stop()
      postgres = await startEmbeddedPostgres({ folder })
      unlinkSync(link)
      symlinkSync(postgres.connection.host, link)
    },
    async remove() {
      await postgres.stop()
      rmSync(home, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}
