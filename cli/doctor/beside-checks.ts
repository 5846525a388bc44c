import type { Settings } from '../settings.js'
import { checkImages, checkMail, checkNats, checkPlaces, checkStores } from './check-outside.js'
import { checkDisk } from './check-place.js'
import type { Finding } from './finding.js'

/**
 * The parts that an instance can do without for a while. Doctor tells of them, and a server that has started warns of those that doctor
 * calls bad. Everything else that doctor calls bad, a start refuses: settings, Postgres, migrations, keys, the event store, read models.
 */
export const besideChecks: readonly ((settings: Settings) => Promise<readonly Finding[]>)[] = [
  checkDisk,
  checkNats,
  checkMail,
  checkImages,
  checkStores,
  checkPlaces,
]

/** What doctor calls bad of those parts. Changes nothing, and never rejects. */
export async function badBeside(settings: Settings): Promise<readonly Finding[]> {
  const found = await Promise.all(besideChecks.map((check) => check(settings)))
  return found.flat().filter(({ state }) => state === 'bad')
}
