import { enterRegister, type ProcessRegister } from '../../adapters/processes/process-register.js'
import { runningProcessesIfKnown } from '../../adapters/processes/running-processes.js'
import { openDatabase, type PostgresDatabase } from '../../adapters/postgres/database.js'
import { sharedConnection, type SharedConnection } from '../../adapters/postgres/shared-connection.js'
import type { ClosingList } from '../closing-list.js'
import type { GuildhallSettings } from '../settings/guildhall-settings.js'
import { productVersion } from '../product-version.js'
import { roles as allRoles } from './role.js'

/** What a process holds before it opens anything else, and until everything else is closed. */
export interface Entered {
  readonly register: ProcessRegister
  /** Its connections hold locks, for work that one process at a time does. */
  readonly following: PostgresDatabase
  /** The one of them that the register and all followers of this process share. */
  readonly followers: SharedConnection
}

const followingConnections_max = 9

/**
 * Enters the register of the processes that serve this database. Waits, and says so once, while another one serves that this
 * one may not serve beside: without NATS, one process serves at a time. Call it before any port is opened: the
 * process that this one takes over from may have the same.
 */
export async function openRegister(options: GuildhallSettings, closings: ClosingList): Promise<Entered> {
  const { settings, connection, logger, roles = allRoles, stopping = new AbortController().signal } = options
  const onError = (error: unknown): void => logger.error({ err: error }, 'the register of processes reported a failure')
  const following = openDatabase(connection, { onError, holdsLocks: true, connections_max: followingConnections_max })
  closings.add(() => following.close())
  const followers = sharedConnection(following.pool)
  const isAlone = settings.natsServers === undefined
  const register = await enterRegister({
    connection: followers,
    roles,
    version: productVersion,
    isAlone,
    async onWaiting() {
      const others = await runningProcessesIfKnown(following)
      const rule = isAlone
        ? 'another process serves this database, and without NATS_URL one serves at a time'
        : 'a process without NATS_URL serves this database alone'
      logger.warn({ serving: others }, `${rule}: waiting until it ends`)
    },
    stopping,
    onError,
  })
  closings.add(() => register.leave())
  return { register, following, followers }
}
