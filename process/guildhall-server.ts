import type { AddressInfo } from 'node:net'
import type { AddressGate } from '../adapters/http/brakes/address-gate.ts'
import { postgresBackgroundWork } from '../adapters/background-jobs/postgres-background-work.ts'
import { openStatusServer, type HttpServer } from '../adapters/http/server/open-http-server.ts'
import { startWatchdog } from '../adapters/telemetry/watchdog.ts'
import { adminAuditLog } from '../application/administration/audit/admin-audit-log.ts'
import { bulkWork } from '../application/administration/bulk/bulk-work.ts'
import { deletingAllMessages } from '../application/administration/messages/delete-all-messages.ts'
import { deletingFilteredMessages } from '../application/administration/messages/filtered-message-deletions.ts'
import { deletingScheduledMessages } from '../application/administration/messages/scheduled-message-deletions.ts'
import { whileAllowed } from '../application/administration/jobs/ordered-work.ts'
import { shreddingMessages } from '../application/administration/messages/shred-messages.ts'
import type { BackgroundTaskWork } from '../application/administration/jobs/run-background-job.ts'
import type { BackgroundTask } from '../application/ports/background-jobs.ts'
import { rewindingGuild } from '../application/administration/rewinds/rewinding-guild.ts'
import { addingFileHashes, removingFileHashes } from '../application/administration/blocklists/many-file-hashes.ts'
import { presenceDirectory, type PresenceDirectory } from '../application/presence/presence-directory.ts'
import type { Presence } from '../application/ports/presence.ts'
import type { ReadyState } from '../application/ports/readiness.ts'
import type { ReadModels } from '../application/ports/read-models.ts'
import { markBounced } from '../application/identity/mail/mark-bounced.ts'
import type { Ports } from '../application/ports.ts'
import { processClock } from '../gateway/ticker.ts'
import { timestamp } from '../domain/kernel/timestamp.ts'
import { publishSettings } from './settings/served-settings.ts'
import { closingList, type ClosingList } from './closing-list.ts'
import type { GuildhallSettings } from './settings/guildhall-settings.ts'
import { observeJobs } from './observe/observe-jobs.ts'
import { observeInstance } from './observe/observe-instance.ts'
import { observeMail } from './observe/observe-mail.ts'
import { observe, type Observed } from './observe/observe.ts'
import { startProcessManagers } from './process-managers.ts'
import { instanceStatusOf } from './instance-status.ts'
import { productVersion } from './product-version.ts'
import { instanceCounts } from '../projections/instance-counts.ts'
import { openBase, type Base } from './roles/base.ts'
import { flagSessions } from './roles/flag-first-sessions.ts'
import { buildArchives } from './roles/build-archives.ts'
import { endTemporaryMemberships } from './roles/end-temporary-memberships.ts'
import { clearAfterBans } from './roles/clear-after-bans.ts'
import { keepThreads } from './roles/keep-threads.ts'
import { openCommandSide, type CommandSide } from './roles/open-command-side.ts'
import { noContentRules, openContentRules } from './roles/open-content-rules.ts'
import { openChecks } from './roles/open-checks.ts'
import { openEntry } from './roles/open-entry.ts'
import { openGatewayOn } from './roles/open-gateway-on.ts'
import { openGate } from './roles/open-gate.ts'
import { openHandovers } from './roles/open-handovers.ts'
import { messagePortsOf, openMessageStore } from './roles/open-message-store.ts'
import { openRegister } from './roles/open-register.ts'
import { openSignalled } from './roles/open-signalled.ts'
import { openStatus, type Status } from './roles/open-status.ts'
import { roles as allRoles, type Role } from './roles/role.ts'
import { postSystemMessages } from './roles/post-system-messages.ts'
import { sweepAttachments } from './roles/sweep-attachments.ts'
import { indexMessages } from './roles/index-messages.ts'
import type { OpenMessages } from '../adapters/messages/open-messages.ts'
import { settleJoins } from './roles/settle-joins.ts'
import { watchProcesses } from './roles/watch-processes.ts'
import type { Store } from './store.ts'

const draining: ReadyState = { ready: false, missing: ['draining'], without: [] }

/** One process of an instance. */
export interface Guildhall {
  /** Its address: `http://host:port`. */
  readonly url: string
  /** Where it answers supervisors; undefined if no port is set for that. */
  readonly statusUrl: string | undefined
  /** Undefined if no role of the process carries out commands. */
  readonly ports: Ports | undefined
  readonly store: Store
  readonly readModels: ReadModels
  /** Resolves when another process serves instead. It must be closed then. */
  readonly takenOver: Promise<Error>
  /**
   * Ends gracefully: tells Gateway clients to reconnect, finishes the requests at work, then closes everything. Safe to call
   * twice.
   */
  close(): Promise<void>
}

/** Opens everything, each part after the parts that it needs, and listens. */
export async function openGuildhall(options: GuildhallSettings): Promise<Guildhall> {
  const closings = closingList()
  try {
    return await openIn(options, closings)
  } catch (error) {
    await closings.close()
    throw error
  }
}

async function openIn(options: GuildhallSettings, closings: ClosingList): Promise<Guildhall> {
  const { settings, roles = allRoles } = options
  const plays = (...wanted: readonly Role[]): boolean => wanted.some((role) => roles.includes(role))
  const entered = await openRegister(options, closings)
  const status = await openStatus(options, closings)
  await openTraces(options, closings)
  const base = await openBase(options, entered, closings)
  const { store, readModels, metrics } = base
  status.show(metrics)
  // From now on, because it waits until the Gateways have answered: the other parts are opened meanwhile.
  const elsewhere = plays('api', 'worker') && !plays('gateway') ? presenceElsewhere(base) : undefined
  const presenceSeam: { presence?: Presence | undefined } = {}
  let url = settings.publicUrl ?? ''
  const handovers = openHandovers(base)
  const signalled = { ...openSignalled(base), publicUrl: (): string => url }
  const messageStore = plays('api', 'gateway', 'worker') ? await openMessageStore(base) : undefined
  const seams = messageStore && {
    ...messagePortsOf(messageStore),
    presence: presenceIn(presenceSeam),
    sessionHandovers: handovers.told,
    ...signalled,
    instanceStatus: instanceStatusOf(base, status.state),
    contentFilter: plays('api') ? await openContentRules(base) : noContentRules,
  }
  const commands = seams && plays('api', 'worker') ? await openCommandSide(base, seams, messageStore) : undefined
  const served = plays('api') ? commands : undefined
  const entry = plays('api', 'gateway') ? await openEntry(base, served) : undefined
  // Only a process that serves the API loads the operations.
  const http = await (served && entry
    ? (await import('./roles/open-api.ts')).openApi(base, served, entry, status)
    : openStatusOn(base, entry?.gate ?? (await openGate(base, undefined)), status))
  closings.add(() => http.close())
  const gateway =
    plays('gateway') && entry && messageStore
      ? await openGatewayOn(http.server, base, entry, messageStore, { ...signalled, handovers: handovers.expected })
      : undefined
  await elsewhere?.ready
  presenceSeam.presence = gateway?.presence ?? elsewhere
  if (plays('worker') && commands) await openWorker(base, commands, messageStore)
  const processes = watchProcesses(base)
  observe(metrics, { ...base, build: { version: productVersion, roles }, processes, gateway, pools: poolsOf(base) })
  watchEventLoop(base)
  const readiness = openChecks(base)
  closings.add(async () => {
    status.tell(() => draining)
    await Promise.all([gateway?.drain(), http.drain()])
  })
  const address = urlOf(settings.http.host, await http.listen(settings.http))
  url = settings.publicUrl ?? address
  if (served) await publishSettings(store, settings, url)
  status.tell(() => ({ ...readiness.state(), processes: processes() }))
  return {
    url: address,
    statusUrl: status.url,
    ports: commands?.ports,
    store,
    readModels,
    takenOver: entered.register.takenOver,
    close: () => closings.close(),
  }
}

function watchEventLoop({ metrics, options, closings }: Base): void {
  const stop = startWatchdog({ registry: metrics, logger: options.logger })
  closings.add(async () => stop())
}

/** The SDK is loaded only where traces are sent (decision 45). They close after everything that is traced. */
async function openTraces({ settings, logger }: GuildhallSettings, closings: ClosingList): Promise<void> {
  const { traces: sent, serviceName } = settings
  if (!sent) return
  const { openOtlpTraces } = await import('../adapters/telemetry/otlp-traces.ts')
  const traces = openOtlpTraces({ ...sent, serviceName, version: productVersion, logger })
  closings.add(() => traces.close())
}

/** Only a process that plays every role alone knows that no other process is working on what is unfinished. */
async function openWorker(base: Base, commands: CommandSide, messageStore: OpenMessages | undefined): Promise<void> {
  const { ports } = commands
  const { options, closings, metrics, database } = base
  const { settings, connection, logger, looks_ms } = options
  await postSystemMessages(base, ports)
  await keepThreads(base, ports)
  await clearAfterBans(base, ports)
  await settleJoins(base, ports)
  endTemporaryMemberships(base, ports)
  flagSessions(base, ports)
  buildArchives(base, commands)
  sweepAttachments(base, commands)
  indexMessages(base, messageStore)
  const finishesFirst = settings.natsServers === undefined
  const timing = looks_ms === undefined ? {} : { start_ms: looks_ms }
  const background = {
    work: postgresBackgroundWork(database),
    tasks: backgroundTasks(ports),
    now: () => timestamp(Date.now()),
  }
  const managers = await startProcessManagers({ ports, connection, logger, finishesFirst, background, timing })
  closings.add(() => managers.stop())
  observeJobs(metrics, managers, base.onError)
  observeInstance(metrics, () => instanceCounts(database), base.onError)
  await openMailSending(base, ports)
}

/** What the worker does for each kind of background job. */
function backgroundTasks(ports: Ports): Readonly<Record<BackgroundTask, BackgroundTaskWork>> {
  return {
    ...whileAllowed(ports, {
      ban_file_sha: addingFileHashes(ports),
      unban_file_sha: removingFileHashes(ports),
      shred_messages: shreddingMessages(ports),
      delete_user_messages: deletingAllMessages(ports),
      ...bulkWork({ ...ports, adminAudit: adminAuditLog(ports) }),
      rewind_guild: rewindingGuild(ports),
    }),
    delete_scheduled_messages: deletingScheduledMessages(ports),
    delete_filtered_messages: deletingFilteredMessages(ports),
  }
}

/** Only if there is a mail server; only then is the client for it loaded. */
async function openMailSending({ options, closings, metrics }: Base, ports: Ports): Promise<void> {
  const { settings, connection, personalDataKey, logger } = options
  const { smtp } = settings
  if (!smtp) return
  const { startMailSending } = await import('./mail-sending.ts')
  const mark = markBounced(ports)
  const noteFailure = observeMail(metrics)
  const sending = await startMailSending({
    connection,
    personalDataKey,
    smtp,
    logger,
    onRefusedRecipient: (address, cause) => mark(address, cause, timestamp(Date.now())),
    onUndelivered: (failure) => {
      noteFailure(failure)
      logger.warn(failure, failure.parked ? 'a mail is given up' : 'a mail could not be sent, and will be tried again')
    },
  })
  closings.add(() => sending.stop())
}

/** The pools of connections that every role has, by what they are for. */
function poolsOf({ store, database, electing }: Base): Observed['pools'] {
  return { requests: database.pool, event_store: store.database.pool, elector: electing.pool }
}

/** The listener of a process that does not serve the API. */
function openStatusOn({ options, metrics, outages }: Base, gate: AddressGate, status: Status): Promise<HttpServer> {
  const { settings, logger } = options
  const { metricsToken, rateLimits, trustedProxies, accessLog } = settings
  return openStatusServer({
    logger,
    metrics,
    version: productVersion,
    trustedProxies,
    metricsToken,
    accessLog,
    gate,
    outages,
    readyState: () => status.state(),
    ...(!rateLimits && { rateLimits: 'off' }),
  })
}

/** The Gateway depends on the HTTP server, which depends on the use cases, which query presence: this closes the circle. */
function presenceIn(seam: { readonly presence?: Presence | undefined }): Presence {
  return {
    isPresent: async (account) => (await seam.presence?.isPresent(account)) ?? false,
    hearsAll: () => seam.presence?.hearsAll() ?? false,
    onlineCounts: async (guilds) => (await seam.presence?.onlineCounts(guilds)) ?? new Map(),
  }
}

/** Presence at the Gateways of other processes. */
function presenceElsewhere({ signals, closings, onError }: Base): PresenceDirectory {
  if (!signals) throw new Error('Without a Gateway in this process there must be a way to others')
  const directory = presenceDirectory({ signals, clock: processClock, onError })
  closings.add(async () => directory.stop())
  return directory
}

function urlOf(host: string, { port }: AddressInfo): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
