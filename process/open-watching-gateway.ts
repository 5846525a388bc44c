import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { savingNone } from '../application/dry-runs/holding-ports.ts'
import { openMessages } from '../adapters/messages/open-messages.ts'
import { openDatabase, type PostgresConnection } from '../adapters/postgres/database.ts'
import { queriesShowing, showingWithin } from '../application/identity/accounts/shown-accounts.ts'
import type { RecordedEvent } from '../application/ports/event-store.ts'
import type { AccountQueries } from '../application/ports/queries/account-queries.ts'
import type { ReadModels } from '../application/ports/read-models.ts'
import { isClosedAt } from '../domain/account/decisions/decide-admission.ts'
import type { AccountId } from '../domain/ids/ids.ts'
import { stockLimits } from '../domain/limits/limit-config.ts'
import type { GatewayLog } from '../gateway/log.ts'
import { tokenHashOf } from '../gateway/starts/token-hash.ts'
import { streamName, type StreamName } from '../domain/streams.ts'
import { processClock } from '../gateway/ticker.ts'
import { heldPosition, openQueries, readModels as allReadModels } from '../projections/read-models.ts'
import { watchReadModels } from '../projections/runner/watcher.ts'
import { openAggregates } from './aggregates.ts'
import { closingList, type ClosingList } from './closing-list.ts'
import { followingCarrier } from './roles/following-carrier.ts'
import { openGatewayOn } from './roles/open-gateway-on.ts'
import { limitsOver } from './roles/open-limits.ts'
import type { GuildhallSettings } from './settings/guildhall-settings.ts'
import type { Store } from './store.ts'

export interface WatchingGatewaySettings {
  /** Open, beside the servers of the instance. */
  readonly store: Store
  readonly connection: PostgresConnection
  /** Those of the server. */
  readonly settings: GuildhallSettings['settings'] & { readonly publicUrl: string }
  readonly account: AccountId
  readonly log: GatewayLog
  readonly onError: (error: unknown) => void
}

export interface WatchingGateway {
  readonly gatewayUrl: string
  /** Begins sessions of the account here and nowhere else. It is in the memory of this process alone. */
  readonly token: string
  /** Aborts once the account is closed or gone. */
  readonly closed: AbortSignal
  close(): Promise<void>
}

const token_bytes = 32
const connections_max = 4

/**
 * A Gateway of this process's own, on this machine, for the sessions of one account. It follows events and notices as the Gateways
 * of servers do, but none of them knows of it: it shares no presence, notes nothing about the account, and writes nothing.
 */
export async function openWatchingGateway(watching: WatchingGatewaySettings): Promise<WatchingGateway> {
  const closings = closingList()
  try {
    return await openIn(watching, closings)
  } catch (error) {
    await closings.close()
    throw error
  }
}

async function openIn(watching: WatchingGatewaySettings, closings: ClosingList): Promise<WatchingGateway> {
  const { account, settings } = watching
  const closed = new AbortController()
  const base = baseOf(watching, closings, () => closed.abort())
  const { accounts, database, onError } = base
  const { notifier } = watching.store
  const messages = openMessages({ database, heldPosition, notifier, trims: false, onError })
  closings.add(() => messages.close())
  const token = randomBytes(token_bytes).toString('base64url')
  const holderOf = async (given: string) => (given === token ? accounts.find(account) : undefined)
  const entry = {
    sessionTokens: {
      async resolve(given: string) {
        const found = await holderOf(given)
        return found && !found.bot ? { account: found, tokenHash: tokenHashOf(given) } : undefined
      },
    },
    botTokens: {
      async resolve(given: string) {
        const found = await holderOf(given)
        return found?.bot === true ? { account: found } : undefined
      },
    },
    gate: { refusalOf: () => undefined, onChange: () => () => undefined },
  }
  const server = createServer((_request, response) => response.writeHead(404).end())
  const readStates = { ...messages.readStates, forgetLeft: async () => undefined }
  const told = { publicUrl: (): string => settings.publicUrl, startedSessions: { note: async () => undefined } }
  await openGatewayOn(server, base, entry, { ...messages, readStates }, told)
  closings.add(async () => void server.close())
  return {
    gatewayUrl: `ws://127.0.0.1:${await portOf(server)}/gateway`,
    token,
    closed: closed.signal,
    close: () => closings.close(),
  }
}

/** What a Gateway needs, over connections that this process closes. */
function baseOf(watching: WatchingGatewaySettings, closings: ClosingList, onClosed: () => void) {
  const { store, connection, settings, account, log, onError } = watching
  const { events, notifier, personalDataKey } = store
  const database = openDatabase(connection, { purpose: 'watching', connections_max, onError })
  closings.add(() => database.close())
  const readModels = watchReadModels({ pool: database.pool, notifier, projections: allReadModels, onError })
  closings.add(async () => readModels.stop())
  const aggregates = openAggregates({ store: events, snapshots: savingNone(store.snapshots) })
  const show = showingWithin(limitsOver(aggregates, settings, stockLimits))
  const queries = openQueries(database)
  const { listen } = followingCarrier({ events, closings, onError })
  return {
    options: { settings: { ...settings, rateLimits: false, corsOrigins: [] }, logger: log, personalDataKey },
    closings,
    carrier: {
      async listen(known: ReadModels) {
        const bus = await listen(known)
        bus.subscribe(watchingFor(account, queries.accounts, { onClosed, onError }))
        return bus
      },
    },
    readModels,
    database,
    queries: queriesShowing(show, queries),
    accounts: queries.accounts,
    show,
    signals: undefined,
    onError,
  }
}

/** Its own sessions end with events that name them. The one here is in no event, so it ends with the account. */
function watchingFor(
  account: AccountId,
  accounts: Pick<AccountQueries, 'find'>,
  { onClosed, onError }: { readonly onClosed: () => void; readonly onError: (error: unknown) => void },
): (events: readonly RecordedEvent[]) => void {
  const own: readonly StreamName[] = [streamName('account', account), streamName('application', account)]
  const look = async (): Promise<void> => {
    const found = await accounts.find(account)
    if (!found || isClosedAt(found, processClock.now())) onClosed()
  }
  return (events) => {
    if (events.some(({ stream }) => own.includes(stream))) look().catch(onError)
  }
}

/** The port that it listens at, for this machine alone. */
async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return port
}
