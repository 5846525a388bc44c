import { postgresBackgroundJobs } from '../../adapters/background-jobs/postgres-background-jobs.ts'
import { holdingBack } from '../../adapters/event-store/held-back.ts'
import { inProcessDeferredTasks } from '../../adapters/jobs/in-process-deferred-tasks.ts'
import { openMail } from '../../adapters/mail/open-mail.ts'
import { openOutbox } from '../../adapters/mail/outbox.ts'
import { reading } from '../../adapters/messages/read.ts'
import { auditChainHash } from '../../adapters/personal-data/audit-chain-hash.ts'
import type { PostgresConnection } from '../../adapters/postgres/database.ts'
import { openPostgresReservations } from '../../adapters/reservations/postgres-reservations.ts'
import { openPostgresSessionActivity } from '../../adapters/sessions/postgres-session-activity.ts'
import { blocklistSecrets } from '../../application/content-rules/entry-ids.ts'
import { protectedAddresses } from '../../application/administration/network-bans/protected-addresses.ts'
import type { HeldBackEvent } from '../../application/dry-runs/dry-run.ts'
import { accountsOfHistory } from '../../application/dry-runs/accounts-of-history.ts'
import {
  holdingLetters,
  reservingNothing,
  savingNone,
  waitingForNothing,
} from '../../application/dry-runs/holding-ports.ts'
import type { MailInstance } from '../../application/identity/mail/render-mail.ts'
import type { Aggregates, Ports } from '../../application/ports.ts'
import type { Letter } from '../../application/ports/mail.ts'
import type { NetworkLookups } from '../../application/ports/network-lookups.ts'
import type { Locks } from '../../application/ports/locks.ts'
import type { Reminders } from '../../application/ports/reminders.ts'
import { sealedBox } from '../../application/secrets/sealed-box.ts'
import { openQueries } from '../../projections/read-models.ts'
import { openAggregates } from '../../process/aggregates.ts'
import { report } from '../commands/beside.ts'
import { instancePolicyIn } from '../instance-config.ts'
import { stockLimits } from '../../domain/limits/limit-config.ts'
import { limitsOver } from '../../process/roles/open-limits.ts'
import { productVersion } from '../../process/product-version.ts'
import { instancePoliciesOver } from '../../process/instance-policies.ts'
import { refuseWithoutReadModels } from '../../process/read-models-fit.ts'
import { servedSettings } from '../../process/settings/served-settings.ts'
import type { Store } from '../../process/store.ts'
import { operatorLocks } from './operator-locks.ts'
import type { OperatorPorts } from './operator-ports.ts'

/** What a dry run would have written and sent. */
export interface Foretold {
  readonly events: readonly HeldBackEvent[]
  readonly letters: readonly Letter[]
  readonly instance: MailInstance
}

/** What commands on accounts work with. */
export interface Operator {
  readonly ports: OperatorPorts
  /** Undefined if this is no dry run. */
  readonly foretold: Foretold | undefined
  /** Waits for what was deferred. */
  close(): Promise<void>
}

export interface OperatorWishes {
  readonly dryRun: boolean
  /** For acts that take a lock; left out where none does. */
  readonly connection?: PostgresConnection
  /** Whether what follows from an act beside history is left to the workers of a server, as if this process had died. */
  readonly leavesRest?: boolean
  /** Opens the aggregates, also those of a dry run; left out for any state of theirs. */
  readonly aggregatesOver?: (store: Pick<Store, 'events' | 'snapshots'>) => Aggregates
}

/** Opens the ports of commands on accounts. Rejects with NoReadModels if there are none yet. */
export async function openOperator(
  store: Store,
  { dryRun, connection, leavesRest = false, aggregatesOver = anyAggregates }: OperatorWishes,
): Promise<Operator> {
  await refuseWithoutReadModels(store)
  const { database, personalDataKey } = store
  const { store: events, heldBack } = dryRun ? holdingBack(store.events) : { store: store.events, heldBack: [] }
  const aggregates = aggregatesOver({ events, snapshots: dryRun ? savingNone(store.snapshots) : store.snapshots })
  const queries = openQueries(database)
  const sessionActivity = openPostgresSessionActivity({ database, onError: report })
  const deferred = inProcessDeferredTasks(report)
  const { canSendMail, ...served } = await servedSettings(store)
  const { serviceName, webappUrl } = served
  const instance: MailInstance = { serviceName, webappUrl }
  const outbox = openMail({
    // Without jobs of its own: the worker finds the mails within a minute.
    outbox: openOutbox(database, personalDataKey),
    canSend: canSendMail,
    instance: () => instance,
    onError: report,
  })
  const letters: Letter[] = []
  // The worker finds them within seconds.
  const jobs = postgresBackgroundJobs(database)
  const reservations = openPostgresReservations({ database, onError: report })
  const instancePolicy = instancePolicyIn(served)
  const instancePolicies = instancePoliciesOver(aggregates, instancePolicy, personalDataKey)
  return {
    ports: {
      aggregates,
      queries: { ...queries, accounts: accountsOfHistory(aggregates, queries.accounts) },
      // Nothing here waits for a server: `accountsOfHistory` has what was written, and maybe none is running.
      readModels: waitingForNothing,
      deferred: leavesRest ? leftToWorkers : deferred,
      sessionActivity,
      messages: { ...reading(database), removeOfAuthor: noneByCommands },
      images: leftImages,
      reservations: dryRun ? reservingNothing : reservations,
      mail: dryRun ? holdingLetters(outbox, letters) : outbox,
      networkLookups: noLookups,
      adminAuditHash: auditChainHash(personalDataKey),
      backgroundJobs: dryRun ? { ...jobs, add: async () => undefined } : jobs,
      blocklistBox: sealedBox(personalDataKey, blocklistSecrets),
      instance: { ...notListening, serviceName, webappUrl, hosted: served.hosted },
      instancePolicies,
      limits: limitsOver(aggregates, { instancePolicy, hosted: served.hosted }, stockLimits),
      locks: connection ? operatorLocks(connection) : noLocks,
      isProtectedAddress: protectedAddresses(served.trustedProxies),
      reminders: untold,
    },
    foretold: dryRun ? { events: heldBack, letters, instance } : undefined,
    async close() {
      await deferred.close()
      await outbox.close()
      await sessionActivity.close()
      await reservations.close()
    },
  }
}

function anyAggregates({ events, snapshots }: Pick<Store, 'events' | 'snapshots'>): Aggregates {
  return openAggregates({ store: events, snapshots })
}

const leftToWorkers: Ports['deferred'] = { run: () => undefined }

/** Those that a ban deletes the follower of bans deletes, which tells the sessions that see them. */
const noneByCommands: Ports['messages']['removeOfAuthor'] = async () => ({ deleted_count: 0 })

/** Images that nothing names any more are removed by workers, which know where they are kept. */
const leftImages: OperatorPorts['images'] = { remove: async () => undefined, removeAllOf: async () => undefined }

/** What only a process that serves has: no answer of a command shows it. */
const notListening: Pick<Ports['instance'], 'clientOrigins' | 'console' | 'gatewayUrl' | 'publicUrl' | 'version'> = {
  clientOrigins: [],
  console: false,
  gatewayUrl: '',
  publicUrl: '',
  version: productVersion,
}

/** A command reaches sessions by its events alone. One that changes nothing has nothing to tell them. */
const untold: Reminders = { remind: () => undefined }

const noLocks: Locks = { holding: () => Promise.reject(new Error('No lock was to be taken')) }

/** What the host names of addresses are does not matter here. */
const noLookups: NetworkLookups = {
  hostName: async () => null,
  location: async () => ({ location: null, failed: false }),
}
