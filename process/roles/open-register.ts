import type { PoolClient } from 'pg'
import { enterRegister, type ProcessRegister } from '../../adapters/processes/process-register.ts'
import { runningProcessesIfKnown } from '../../adapters/processes/running-processes.ts'
import { openDatabase, requestAnswer_ms_max, type PostgresDatabase } from '../../adapters/postgres/database.ts'
import { electorOn, type Elector } from '../../application/concurrency/elector.ts'
import type { ClosingList } from '../closing-list.ts'
import type { GuildhallSettings } from '../settings/guildhall-settings.ts'
import { productVersion } from '../product-version.ts'
import { roles as allRoles } from './role.ts'

/** What a process holds before it opens anything else, and until everything else is closed. */
export interface Entered {
  readonly register: ProcessRegister
  /** Its one connection holds every lock of this process but that of the projector. */
  readonly elector: Elector<PoolClient>
  readonly electing: PostgresDatabase
}

/** The second is for checks: whether Postgres still knows the first one, and who else serves. */
const electingConnections_max = 2

/**
 * Enters the register of the processes that serve this database. Waits, and says so once, while another one serves that this
 * one may not serve beside: without NATS, one process serves at a time. Call it before any port is opened: the
 * process that this one takes over from may have the same.
 */
export async function openRegister(options: GuildhallSettings, closings: ClosingList): Promise<Entered> {
  const { settings, connection, logger, roles = allRoles, stopping = new AbortController().signal } = options
  const onError = (error: unknown): void => logger.error({ err: error }, 'the register of processes reported a failure')
  const electing = openDatabase(connection, {
    onError,
    purpose: 'elector',
    holdsLocks: true,
    connections_max: electingConnections_max,
    answer_ms_max: requestAnswer_ms_max,
  })
  closings.add(() => electing.close())
  const elector = electorOn<PoolClient>(electing.pool)
  const isAlone = settings.natsServers === undefined
  const register = await enterRegister({
    elector,
    roles,
    version: productVersion,
    isAlone,
    async onWaiting() {
      const others = await runningProcessesIfKnown(electing)
      const rule = isAlone
        ? 'another process serves this database, and without NATS_URL one serves at a time'
        : 'a process without NATS_URL serves this database alone'
      logger.warn({ serving: others }, `${rule}: waiting until it ends`)
    },
    stopping,
    onError,
  })
  closings.add(() => register.leave())
  return { register, elector, electing }
}
