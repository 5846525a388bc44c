import type { Logger } from 'pino'
import { openLogger } from '../../adapters/logging/open-logger.js'
import { aborted } from '../../projections/runner/pause.js'
import type { Guildhall } from '../guildhall-server.js'
import type { GuildhallSettings } from '../guildhall-settings.js'
import { instancePolicyIn } from '../instance-config.js'
import { personalDataKey } from '../personal-data-key.js'
import { openPostgres, type Postgres } from '../postgres.js'
import { productVersion } from '../product-version.js'
import { roles as allRoles, type Role } from '../roles/role.js'
import { readSettings, WrongSetting, type Settings } from '../settings.js'

/** Plays every role in one process until SIGINT or SIGTERM, then ends gracefully. A second signal ends at once. */
export function start(): Promise<void> {
  return run(readSettings(process.env), allRoles)
}

/**
 * The same for one role, beside the processes of the others. Throws WrongSetting where one is missing that all of them must
 * have in common.
 */
export function startRole(role: Role): Promise<void> {
  const settings = readSettings(process.env)
  const common = {
    DATABASE_URL: settings.databaseUrl,
    NATS_URL: settings.natsServers,
    PERSONAL_DATA_KEY: settings.personalDataKey,
  }
  const missing = Object.entries(common).flatMap(([name, value]) => (value === undefined ? [name] : []))
  if (missing.length === 0) return run(settings, [role])
  throw new WrongSetting(
    `${missing.join(', ')}: must be set for the ${role}, to what the instance's other processes have`,
  )
}

async function run(given: Settings, roles: readonly Role[]): Promise<void> {
  const settings = { ...given, instancePolicy: instancePolicyIn(given) }
  const logger = openLogger(settings.logLevel)
  const stopping = signalled()
  const postgres = await openPostgres(settings, (line) => {
    logger.debug({ postgres: line }, 'postgres')
  })
  try {
    const guildhall = await serve({ settings, postgres, logger, roles, stopping })
    logger.info(
      {
        url: guildhall.url,
        ...(roles.includes('api') && { docs: `${guildhall.url}/docs` }),
        roles,
        version: productVersion,
        start_ms: Math.round(performance.now()),
      },
      'ready',
    )
    await aborted(stopping)
    logger.info({ signal: stopping.reason }, 'ending')
    await guildhall.close()
  } catch (error) {
    // Whoever ends it before it was ready has what they asked for.
    if (!stopping.aborted || error !== stopping.reason) throw error
  } finally {
    await postgres.stop()
  }
  logger.info('ended')
}

interface Start {
  readonly settings: Settings & Pick<GuildhallSettings['settings'], 'instancePolicy'>
  readonly postgres: Postgres
  readonly logger: Logger
  readonly roles: readonly Role[]
  readonly stopping: AbortSignal
}

async function serve({ settings, postgres, logger, roles, stopping }: Start): Promise<Guildhall> {
  // Loaded once the settings are known to be right: what is wrong with them is said at once.
  const { openGuildhall } = await import('../guildhall-server.js')
  const { connection } = postgres
  const key = await personalDataKey(settings.personalDataKey, settings.dataDir)
  try {
    return await openGuildhall({ settings, connection, personalDataKey: key, logger, roles, stopping })
  } catch (error) {
    throw explained(error, settings)
  }
}

/** What an operator can mend gets a message that says so. */
function explained(error: unknown, { http }: Settings): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  if (error.code === 'EADDRINUSE')
    return new Error(
      `HTTP_PORT ${http.port} on ${http.host} is in use by another process: end that one, or set HTTP_PORT`,
      { cause: error },
    )
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new Error(`HTTP_HOST ${http.host} is no address of this machine`, { cause: error })
  if (error.code === 'EACCES')
    return new Error(`HTTP_PORT ${http.port} may not be used by this account`, { cause: error })
  return error
}

/** Aborts on the first signal, with its name. A second one ends the process as if nobody had listened. */
function signalled(): AbortSignal {
  const stopping = new AbortController()
  const signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM']
  for (const signal of signals) {
    process.once(signal, () => {
      stopping.abort(signal)
    })
  }
  return stopping.signal
}
