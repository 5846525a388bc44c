import { openDatabase, type PostgresConnection } from '../../adapters/postgres/database.ts'
import type { Settings } from '../../process/settings/settings.ts'
import { checksOfHistory } from './beside-history.ts'
import { checkFileScanner, checkImages, checkMail, checkNats, checkLocations, checkStores } from './check-outside.ts'
import { checkDisk } from './check-machine.ts'
import { checkClock } from './check-postgres.ts'
import { checked, type Finding } from './finding.ts'

interface BesideCheck {
  readonly part: string
  readonly check: (settings: Settings) => Promise<readonly Finding[]>
}

/**
 * The parts that an instance can do without for a while. Doctor tells of them, and a server that has started warns of those that doctor
 * calls bad. It warns of clocks and stopped streams too (`badBeside`). Everything else that doctor calls bad, a start refuses: settings,
 * Postgres, migrations, keys, the event store, read models of other versions.
 */
export const besideChecks: readonly BesideCheck[] = [
  { part: 'disk', check: checkDisk },
  { part: 'nats', check: checkNats },
  { part: 'mail', check: checkMail },
  { part: 'images', check: checkImages },
  { part: 'scanner', check: checkFileScanner },
  { part: 'stores', check: checkStores },
  { part: 'places', check: checkLocations },
]

/**
 * What doctor calls bad of those parts, of the clocks and of streams that read models have stopped. For a server that has started:
 * changes nothing, and never rejects.
 */
export async function badBeside(settings: Settings, connection: PostgresConnection): Promise<readonly Finding[]> {
  const found = await Promise.all([...besideChecks.map(({ check }) => check(settings)), checkServed(connection)])
  return found.flat().filter(({ state }) => state === 'bad')
}

/** What doctor asks the Postgres of a server that serves, with a connection of its own. */
function checkServed(connection: PostgresConnection): Promise<readonly Finding[]> {
  return checked('postgres', 'See the log of the server', async () => {
    const database = openDatabase(connection, { connections_max: 1 })
    try {
      return [...(await checkClock(database.pool)), ...(await checksOfHistory(database))]
    } finally {
      await database.close()
    }
  })
}
