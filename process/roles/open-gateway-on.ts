import { randomBytes } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import { textOf } from '../../adapters/http/answer.ts'
import { refusalAnswer } from '../../adapters/http/errors/failure-answer.ts'
import type { OpenMessages } from '../../adapters/messages/open-messages.ts'
import { openStartedSessions } from '../../adapters/sessions/postgres-started-sessions.ts'
import { foreignOriginRefusal } from '../../adapters/http/server/cross-origin.ts'
import type { Refusal } from '../../domain/kernel/refusal.ts'
import { clientAddress } from '../../adapters/http/request/client-address.ts'
import { presenceExchange } from '../../application/presence/presence-exchange.ts'
import { openGateway, type Gateway } from '../../gateway/gateway.ts'
import { gatewayLimits, type GatewayLimits } from '../../gateway/limits.ts'
import type { GatewayLog } from '../../gateway/log.ts'
import type { GatewaySettings } from '../../gateway/settings.ts'
import type { GuildhallSettings } from '../settings/guildhall-settings.ts'
import { gatewayUrlBelow } from '../../application/administration/instance/gateway-url.ts'
import { threadLookups } from '../../application/conversations/threads/thread-lookups.ts'
import { attachmentAddresses } from '../../adapters/media/attachments/signed-addresses.ts'
import type { Seams } from './ports-of.ts'
import { processClock } from '../../gateway/ticker.ts'
import { sessionSnapshots } from '../../projections/session-snapshots/queries.ts'
import type { Base } from './base.ts'
import type { Entry } from './open-entry.ts'

const gatewayId_bytes = 16

/** What a Gateway needs of a process. */
export interface GatewayBase extends Pick<
  Base,
  'accounts' | 'closings' | 'database' | 'onError' | 'queries' | 'readModels' | 'show' | 'signals'
> {
  readonly options: Pick<GuildhallSettings, 'personalDataKey' | 'settings'> & { readonly logger: GatewayLog }
  readonly carrier: Pick<Base['carrier'], 'listen'>
}

export type GatewayEntry = Pick<Entry, 'sessionTokens' | 'botTokens'> & {
  readonly gate: Pick<Entry['gate'], 'refusalOf' | 'onChange'>
}

type GatewayMessages = Pick<OpenMessages, 'messages' | 'notices' | 'reactions' | 'accountNotes'> & {
  readonly readStates: NonNullable<GatewaySettings['readStates']>
}

/** `startedSessions`: left out where those that start are noted as the product does. */
type GatewayTold = Pick<GatewaySettings, 'handovers' | 'reminders' | 'startedSessions' | 'typing'> &
  Pick<Seams, 'publicUrl'>

function jsonOf(refusal: Refusal | undefined): string | undefined {
  return refusal && (textOf(refusalAnswer(refusal, 'en')) ?? undefined)
}

/** The Gateway on the upgrades of an HTTP server. It receives every event from now on. */
export async function openGatewayOn(
  server: Server,
  base: GatewayBase,
  { sessionTokens, botTokens, gate }: GatewayEntry,
  { messages, notices, reactions, readStates, accountNotes }: GatewayMessages,
  { publicUrl, ...told }: GatewayTold,
): Promise<Gateway> {
  const { options, closings, carrier, readModels, database, queries, signals, onError } = base
  const { settings, logger } = options
  const addressOf = clientAddress(settings.trustedProxies)
  const clientOf = ({ socket, headers }: IncomingMessage): string =>
    addressOf(socket.remoteAddress, headers['x-forwarded-for']?.toString())
  const bus = await carrier.listen(readModels)
  const gatewayId = randomBytes(gatewayId_bytes).toString('hex')
  const { personalDataKey } = options
  const exchange = signals && presenceExchange({ signals, gatewayId, clock: processClock, personalDataKey, onError })
  const addresses = attachmentAddresses(personalDataKey, publicUrl)
  const gateway = openGateway({
    server,
    bus,
    sessionTokens,
    botTokens,
    snapshots: sessionSnapshots(database),
    show: base.show,
    startedSessions: openStartedSessions(database),
    queries: { ...queries, accounts: base.accounts },
    lastMessages: (channels) => messages.lastOf(channels),
    notes: accountNotes,
    readStates,
    messages: {
      findMany: (references) => messages.findMany(references),
      reactionsOf: (accounts, references) => reactions.of(accounts, references),
      fileAddress: (name) => addresses.addressOf(name, processClock.now()),
      notices,
      from: await notices.beginning(),
      since: () => queries.positions.held(),
    },
    threads: threadLookups(queries.threads, messages),
    clock: processClock,
    randomBytes,
    log: logger,
    rateLimits: settings.rateLimits,
    clientVersions: settings.clientVersions ?? [],
    limits: limitsOf(settings),
    gatewayUrl: () => settings.gatewayUrl ?? gatewayUrlBelow(publicUrl()),
    ...told,
    ...(exchange && { presenceExchange: exchange }),
    clientAddress: clientOf,
    originRefusal: (headers) => jsonOf(foreignOriginRefusal(settings.corsOrigins ?? [], [settings.publicUrl], headers)),
    gate: {
      refusalOf: (address) => jsonOf(gate.refusalOf(address)),
      onChange: (handle) => gate.onChange(handle),
    },
  })
  closings.add(async () => gateway.close())
  await exchange?.ready
  return gateway
}

/** The bounds that the operator sets. */
function limitsOf({
  gatewayReplay_bytes: replays_bytes_max = gatewayLimits.replays_bytes_max,
  gatewayCompressed_max: compressed_max = gatewayLimits.compressed_max,
}: GuildhallSettings['settings']): Pick<GatewayLimits, 'replays_bytes_max' | 'compressed_max'> {
  return { replays_bytes_max, compressed_max }
}
