import { existsSync } from 'node:fs'
import { openDatabase } from '../../adapters/postgres/database.ts'
import { findRunningPostgres } from '../../adapters/postgres/embedded/start.ts'
import { hasLedger } from '../../adapters/postgres/migrate.ts'
import { checkHistory, type HistorySource } from '../doctor/check-history.ts'
import { besideChecks } from '../doctor/beside-checks.ts'
import { checkKeyFile, checkServer } from '../doctor/check-machine.ts'
import { checkClock, checkPostgres } from '../doctor/check-postgres.ts'
import { checkProgram, checkSettings } from '../doctor/check-settings.ts'
import { checked, lineOf, warn, type Finding } from '../doctor/finding.ts'
import { partsUnlikeServer, type UnlikePart } from '../doctor/unlike-server.ts'
import { existingPersonalDataKey } from '../personal-data-key.ts'
import { embeddedFolder, joinPostgres } from '../postgres.ts'
import type { Settings } from '../../process/settings/settings.ts'
import { locationOf } from './instance-there.ts'

/**
 * Checks what an instance needs, and prints a line for each part with what to do. Works beside a running server and without one,
 * and changes nothing. Gives false if a part is bad.
 */
export async function doctor(print: (line: string) => void): Promise<boolean> {
  let isWell = true
  const tell = (findings: readonly Finding[]): void => {
    for (const finding of findings) {
      print(lineOf(finding))
      if (finding.state === 'bad') isWell = false
    }
  }
  tell([checkProgram()])
  const { settings, findings } = checkSettings(process.env)
  tell(findings)
  if (!settings) return false
  tell([await checkServer(settings)])
  const unlike: UnlikePart[] = []
  tell(await checkInstance(settings, (parts) => void unlike.push(...parts)))
  for (const { part, check } of besideChecks) {
    const found = unlike.find((one) => one.part === part)
    if (found) tell([found.finding])
    if (found?.isTried !== false) tell(await check(settings))
  }
  return isWell
}

type Note = (parts: readonly UnlikePart[]) => void

/**
 * Postgres and what is in it. A stopped embedded one is started for as long as this takes. `note` is given what the server has other
 * settings for.
 */
async function checkInstance(settings: Settings, note: Note): Promise<readonly Finding[]> {
  const { databaseUrl, dataDir } = settings
  const isEmbedded = databaseUrl === undefined
  if (isEmbedded && !existsSync(embeddedFolder(dataDir))) return noInstance(settings)
  const advice = isEmbedded ? 'Start the server, and read its log' : 'Check DATABASE_URL, and that its server runs'
  return checked('postgres', advice, () => checkThere(settings, note))
}

async function checkThere(settings: Settings, note: Note): Promise<readonly Finding[]> {
  const what = await kindOf(settings)
  const postgres = await joinPostgres(settings)
  const database = openDatabase(postgres.connection, { connections_max: 2 })
  try {
    const keyFile = await checkKeyFile(settings)
    const found = [...(await checkPostgres(database.pool, what)), ...(await checkClock(database.pool))]
    if (!(await hasLedger(database.pool))) return [...found, ...keyFile, ...(await noInstance(settings))]
    const personalDataKey = await existingPersonalDataKey(settings.personalDataKey, settings.dataDir)
    const source = { settings, database, connection: postgres.connection, personalDataKey }
    const history = await checkHistory(source)
    const isReadable = history.some(({ part, state }) => part === 'instance' && state === 'ok')
    const ofServer = isReadable ? await checkOfServer(source, note) : []
    return [...found, ...keyFile, ...history, ...ofServer]
  } finally {
    await database.close()
    await postgres.stop()
  }
}

/** What the server noted of its settings is sealed with its key. */
function checkOfServer(source: HistorySource, note: Note): Promise<readonly Finding[]> {
  return checked('keys', 'Set PERSONAL_DATA_KEY to the key of the server', async () => {
    note(await partsUnlikeServer(source))
    return []
  })
}

async function kindOf({ databaseUrl, dataDir }: Settings): Promise<string> {
  if (databaseUrl !== undefined) return ''
  const running = await findRunningPostgres(embeddedFolder(dataDir))
  return running ? 'the embedded one, ' : 'the embedded one, started for this check, '
}

async function noInstance(settings: Settings): Promise<readonly Finding[]> {
  const advice = 'guildhall start makes one; or use the folder, or the settings, of the server'
  return [warn('instance', `there is none in ${locationOf(settings)}`, advice)]
}
