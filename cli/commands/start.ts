import type { Logger } from 'pino'
import { openLogger } from '../../adapters/logging/open-logger.js'
import { openGuildhall, type Guildhall } from '../guildhall-server.js'
import { personalDataKey } from '../personal-data-key.js'
import { openPostgres, type Postgres } from '../postgres.js'
import { productVersion } from '../product-version.js'
import { readSettings, type Settings } from '../settings.js'

/** Serves until SIGINT or SIGTERM, then ends gracefully. A second signal ends at once. */
export async function start(): Promise<void> {
  const settings = readSettings(process.env)
  const logger = openLogger(settings.logLevel)
  const ended = signalled()
  const postgres = await openPostgres(settings, (line) => {
    logger.debug({ postgres: line }, 'postgres')
  })
  try {
    const guildhall = await serve(settings, postgres, logger)
    logger.info(
      {
        url: guildhall.url,
        docs: `${guildhall.url}/docs`,
        version: productVersion,
        start_ms: Math.round(performance.now()),
      },
      'ready',
    )
    logger.info({ signal: await ended }, 'ending')
    await guildhall.close()
  } finally {
    await postgres.stop()
  }
  logger.info('ended')
}

async function serve(settings: Settings, { connection }: Postgres, logger: Logger): Promise<Guildhall> {
  const key = await personalDataKey(settings.personalDataKey, settings.dataDir)
  try {
    return await openGuildhall({ settings, connection, personalDataKey: key, logger })
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

function signalled(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM']
    for (const signal of signals) {
      process.once(signal, () => {
        resolve(signal)
      })
    }
  })
}
