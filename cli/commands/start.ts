import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { Logger } from 'pino'
import { openLogger } from '../../adapters/telemetry/open-logger.ts'
import { aborted } from '../../application/concurrency/pauses.ts'
import type { Guildhall } from '../../process/guildhall-server.ts'
import type { GuildhallSettings } from '../../process/settings/guildhall-settings.ts'
import { instancePolicyIn } from '../instance-config.ts'
import { instanceKey } from '../instance-key.ts'
import { openPostgres, type Postgres, type PostgresReports } from '../postgres.ts'
import { productVersion } from '../../process/product-version.ts'
import { roles as allRoles, type Role } from '../../process/roles/role.ts'
import { neededByRoles, readSettings, WrongSetting, type Settings } from '../../process/settings/settings.ts'
import { waitForServers } from '../wait-for-servers.ts'
import { endingOf, type Ending } from './ending.ts'

/**
 * Plays every role in one process until SIGINT or SIGTERM, then ends gracefully, within `end_ms_max`. A second signal ends it
 * at once. Waits for servers that are away.
 */
export function start(): Promise<void> {
  return run(readSettings(process.env), allRoles)
}

/**
 * The same for one role, beside the processes of the others. Throws WrongSetting if a setting is missing that all of them must
 * share.
 */
export function startRole(role: Role): Promise<void> {
  const settings = readSettings(process.env)
  const missing = Object.entries(neededByRoles).flatMap(([name, given]) =>
    settings[given] === undefined ? [name] : [],
  )
  if (missing.length === 0) return run(settings, [role])
  throw new WrongSetting(
    `${missing.join(', ')}: must be set for the ${role}, to what the instance's other processes have`,
  )
}

/**
 * By how much the heap may grow until it is swept again, in percent of what was in use. Node alone lets it grow up to fourfold.
 * Set only once all is loaded: compiled code that V8 kept without this setting is compiled anew with it, Node's own too.
 */
const heapGrowth_percent = 80

async function run(given: Settings, roles: readonly Role[]): Promise<void> {
  const settings = { ...given, instancePolicy: instancePolicyIn(given) }
  const logger = await loggerOf(settings)
  logger.info({ roles, version: productVersion, data: path.resolve(settings.dataDir) }, 'starting')
  const ending = endingOf(logger)
  const { stopping } = ending
  try {
    await playUntilStopped({ settings, logger, roles, stopping }, ending)
  } catch (error) {
    // If the operator ended it before it was ready, that is not an error.
    if (!stopping.aborted || error !== stopping.reason) throw error
  } finally {
    ending.closed()
  }
  logger.info('ended')
}

async function loggerOf({ logLevel, logFormat }: Settings): Promise<Logger> {
  const { isTTY } = process.stdout
  if ((logFormat ?? (isTTY ? 'text' : 'json')) === 'json') return openLogger(logLevel)
  const { readableLines } = await import('../../adapters/telemetry/readable-lines.ts')
  return openLogger(logLevel, readableLines(isTTY && process.env['NO_COLOR'] === undefined))
}

async function playUntilStopped(start: Omit<Start, 'postgres'>, ending: Ending): Promise<void> {
  const { settings, logger, roles, stopping } = start
  const postgres = await waitForServers(() => openPostgres(settings, reportsOf(logger)), { logger, stopping })
  void postgres.givenUp.then((error) => ending.fail(error))
  try {
    const guildhall = await waitForServers(() => serve({ ...start, postgres }), { logger, stopping })
    void guildhall.takenOver.then((error) => ending.fail(error))
    setFlagsFromString(`--heap-growing-percent=${heapGrowth_percent}`)
    logger.info(
      {
        url: guildhall.url,
        status: guildhall.statusUrl,
        ...(roles.includes('api') && { docs: `${guildhall.url}/docs` }),
        roles,
        version: productVersion,
        start_ms: Math.round(performance.now()),
      },
      'ready',
    )
    void warnBeside(start, postgres)
    await aborted(stopping)
    logger.info(typeof stopping.reason === 'string' ? { signal: stopping.reason } : {}, 'ending')
    await guildhall.close()
  } finally {
    await postgres.stop()
  }
}

/** Names what doctor calls bad and a server can do without. Loaded and asked only now: nobody waits for it. */
async function warnBeside(
  { settings, logger }: Pick<Start, 'settings' | 'logger'>,
  { connection }: Postgres,
): Promise<void> {
  const { badBeside } = await import('../doctor/beside-checks.ts')
  for (const { part, text, advice } of await badBeside(settings, connection)) logger.warn({ part, advice }, text)
}

function reportsOf(logger: Logger): PostgresReports {
  return {
    log: (line) => logger.debug({ postgres: line }, 'postgres'),
    onDeath: (line) => logger.error(line),
  }
}

interface Start {
  readonly settings: Settings & Pick<GuildhallSettings['settings'], 'instancePolicy'>
  readonly postgres: Postgres
  readonly logger: Logger
  readonly roles: readonly Role[]
  readonly stopping: AbortSignal
}

async function serve({ settings, postgres, logger, roles, stopping }: Start): Promise<Guildhall> {
  // Loaded after the settings are checked, so that wrong settings are reported at once.
  const { openGuildhall } = await import('../../process/guildhall-server.ts')
  const { connection } = postgres
  const key = await instanceKey(settings, connection)
  try {
    return await openGuildhall({ settings, connection, personalDataKey: key, logger, roles, stopping })
  } catch (error) {
    throw explained(error, settings)
  }
}

/** Turns errors that an operator can fix into messages that say how. */
function explained(error: unknown, { http }: Settings): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  if (error.code === 'EADDRINUSE')
    return new Error(
      `HTTP_PORT ${http.port} on ${http.host} is in use by another process: end that one, or set HTTP_PORT`,
      { cause: error },
    )
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new Error(`HTTP_HOST ${http.host} is not an address of this machine`, { cause: error })
  if (error.code === 'EACCES')
    return new Error(`HTTP_PORT ${http.port} may not be used by this account`, { cause: error })
  return error
}
