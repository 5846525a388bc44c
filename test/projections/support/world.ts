import { randomBytes, randomUUID } from 'node:crypto'
import { memoryEventStore, type MemoryEventStore } from '../../support/memory/memory-event-store.ts'
import { memoryPersonalDataKeys } from '../../support/memory/memory-keys.ts'
import { openDatabase, type PostgresDatabase } from '../../../adapters/postgres/database.ts'
import { openNotifier } from '../../../adapters/postgres/notifier.ts'
import { uuid7 } from '../../../application/commands/derive-id.ts'
import type { EventMetadata, NewEvent, RecordedEvent } from '../../../application/ports/event-store.ts'
import { noStream, type Position, type Revision } from '../../../domain/kernel/position.ts'
import { eventCatalogs, type EventCatalogs } from '../../../domain/aggregates.ts'
import type { AccountEvent } from '../../../domain/account/events.ts'
import type { AdminAuditEvent } from '../../../domain/admin-audit/events.ts'
import type { ApplicationEvent } from '../../../domain/application/events.ts'
import type { BlocklistEntryEvent } from '../../../domain/blocklist-entry/events.ts'
import type { DirectChannelEvent } from '../../../domain/direct-channel/events.ts'
import type { DiscoveryApplicationEvent } from '../../../domain/discovery-application/events.ts'
import type { EmailAddressEvent } from '../../../domain/email-address/events.ts'
import type { GuildAuditEvent } from '../../../domain/guild-audit/events.ts'
import type { GuildExpressionsEvent } from '../../../domain/guild-expressions/events.ts'
import { guildAuditId } from '../../../domain/guild-audit/state.ts'
import type { GuildEvent } from '../../../domain/guild/events.ts'
import type { HandleEvent } from '../../../domain/handle/events.ts'
import { authorizationId, pairId } from '../../../domain/ids/ids.ts'
import type { InviteEvent } from '../../../domain/invite/events.ts'
import { streamName, type StreamName } from '../../../domain/streams.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import type { MembershipEvent } from '../../../domain/membership/events.ts'
import type { NetworkBanEvent } from '../../../domain/network-ban/events.ts'
import type { PrivateChannelEvent } from '../../../domain/private-channel/events.ts'
import type { RegistrationUrlEvent } from '../../../domain/registration-url/events.ts'
import type { RelationshipEvent } from '../../../domain/relationship/events.ts'
import type { ReportEvent } from '../../../domain/report/events.ts'
import type { SingleSignOnIdentityEvent } from '../../../domain/single-sign-on-identity/events.ts'
import type { ThreadEvent } from '../../../domain/thread/events.ts'
import type { UserGuildSettingsEvent } from '../../../domain/user-guild-settings/events.ts'
import { userGuildSettingsId } from '../../../domain/user-guild-settings/state.ts'
import type { UserSettingsEvent } from '../../../domain/user-settings/events.ts'
import type { OAuth2AuthorizationEvent } from '../../../domain/oauth2-authorization/events.ts'
import type { Projection } from '../../../projections/runner/projection.ts'
import { startProjections, type ProjectionRunner, type ProjectionSettings } from '../../../projections/runner/runner.ts'
import { migratedDatabase } from '../../support/test-database.ts'
import { patience_ms } from '../../support/pace.ts'

export type AnyEvent =
  | AccountEvent
  | AdminAuditEvent
  | ApplicationEvent
  | BlocklistEntryEvent
  | DirectChannelEvent
  | DiscoveryApplicationEvent
  | EmailAddressEvent
  | GuildAuditEvent
  | GuildEvent
  | GuildExpressionsEvent
  | HandleEvent
  | InviteEvent
  | MembershipEvent
  | NetworkBanEvent
  | OAuth2AuthorizationEvent
  | PrivateChannelEvent
  | RegistrationUrlEvent
  | RelationshipEvent
  | ReportEvent
  | SingleSignOnIdentityEvent
  | ThreadEvent
  | UserGuildSettingsEvent
  | UserSettingsEvent

/** A Postgres database, an event store, and the projectors that a test starts on them. */
export interface World {
  readonly database: PostgresDatabase
  readonly store: MemoryEventStore
  /** Appends each event to the stream that it belongs to; returns the position of the last one. */
  happens(...events: readonly AnyEvent[]): Promise<Position>
  /** Like `happens`, with the given metadata for each event. */
  happensWith(metadata: Partial<EventMetadata>, ...events: readonly AnyEvent[]): Promise<Position>
  /** Starts a projector as a process of its own would. Errors go to `errors`, unless the test handles them. */
  projector(projections: readonly Projection[], more?: Partial<ProjectionSettings>): Promise<TestProjector>
  readonly errors: readonly unknown[]
  rows(statement: string): Promise<readonly Record<string, unknown>[]>
  close(): Promise<void>
}

export interface TestProjector extends ProjectionRunner {
  readonly database: PostgresDatabase
  readonly published: readonly RecordedEvent[]
}

/** The time of each event is a millisecond after that of the one before. */
const start_ms = Date.UTC(2026, 0, 1)

/** Creates a world whose store reads events by `catalogs`; by default those of the product. */
export async function world(catalogs: EventCatalogs = eventCatalogs): Promise<World> {
  const test = await migratedDatabase()
  const { connection, database } = test
  const store = memoryEventStore({ keys: memoryPersonalDataKeys(), catalogs })
  const revisions = new Map<StreamName, Revision>()
  const errors: unknown[] = []
  const closing: (() => Promise<void>)[] = []
  let ms = start_ms

  async function happensWith(more: Partial<EventMetadata>, ...events: readonly AnyEvent[]): Promise<Position> {
    let position = -1n
    for (const event of events) {
      const stream = streamOf(event)
      const newEvent: NewEvent = { ...event, metadata: metadata(ms++, more) }
      const result = await store.append(stream, revisions.get(stream) ?? noStream, [newEvent])
      if (result.outcome !== 'appended') throw new Error(`${stream} was not appended to: ${result.outcome}`)
      revisions.set(stream, result.revision)
      position = result.position
    }
    return position
  }

  return {
    database,
    store,
    errors,
    happensWith,
    happens: (...events) => happensWith({}, ...events),
    async projector(projections, more = {}) {
      const own = openDatabase(connection, { customPlans: true, holdsLocks: true })
      const notifier = openNotifier({ connection, onError: (error) => void errors.push(error) })
      const published: RecordedEvent[] = []
      const onCommitted = async (events: readonly RecordedEvent[]): Promise<void> => void published.push(...events)
      const onError = (error: unknown): void => void errors.push(error)
      const runner = await startProjections({
        pool: own.pool,
        notifier,
        store,
        projections,
        onCommitted,
        onError,
        ...more,
      })
      const stop = once(async () => {
        await runner.stop()
        await notifier.close()
        await own.close()
      })
      closing.push(stop)
      return {
        database: own,
        published,
        stop,
        reached: (position) => runner.reached(position),
        status: () => runner.status(),
        get isLeading() {
          return runner.isLeading
        },
        get position() {
          return runner.position
        },
      }
    },
    rows: async (statement) => (await database.pool.query(statement)).rows,
    async close() {
      await Promise.all(closing.map((stop) => stop()))
      await test.close()
    },
  }
}

function once(task: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => (done ??= task())
}

function metadata(ms: number, more: Partial<EventMetadata>): EventMetadata {
  return {
    eventId: uuid7(ms, randomBytes(10)),
    at: timestamp(ms),
    actor: { kind: 'system', name: 'test' },
    correlationId: randomUUID(),
    causationId: randomUUID(),
    ...more,
  }
}

function streamOf({ type, data }: AnyEvent): StreamName {
  if (type === 'AccountErasureStarted') return streamName('account', data.accountId)
  if (type === 'SingleSignOnIdentityClaimed' || type === 'SingleSignOnIdentityReleased')
    return streamName('single_sign_on_identity', data.identityHash)
  if ('registrationUrlId' in data && !('username' in data))
    return streamName('registration_url', data.registrationUrlId)
  if (type === 'NetworkBanned' || type === 'NetworkBanLifted') return streamName('network_ban', data.network)
  if (type === 'UserSettingsChanged') return streamName('user_settings', data.accountId)
  if (type === 'UserGuildSettingsChanged') {
    return streamName('user_guild_settings', userGuildSettingsId(data.accountId, data.forGuild))
  }
  if (type === 'DirectChannelOpened' || type === 'DirectChannelShown' || type === 'DirectChannelHidden')
    return streamName('direct_channel', pairId(data.accountId, data.otherId))
  if (type === 'GroupDeleted' || type === 'GroupMessagesRemoved') return streamName('private_channel', data.channelId)
  if (type === 'CustomCodeClaimed' || type === 'CustomCodeReleased') return streamName('invite', data.code)
  if ('code' in data && ('channelId' in data || 'redemptionId' in data)) return streamName('invite', data.code)
  if ('recipients' in data) return streamName('private_channel', data.channelId)
  if ('reportId' in data) return streamName('report', data.reportId)
  if ('otherId' in data) return streamName('relationship', pairId(data.accountId, data.otherId))
  if ('channelId' in data && 'entryId' in data) return streamName('guild_audit', guildAuditId(data.guildId, '2026-05'))
  if (type === 'BlocklistEntryAdded' || type === 'BlocklistEntryChanged' || type === 'BlocklistEntryRemoved')
    return streamName('blocklist_entry', data.entryId)
  if ('entryId' in data) return streamName('admin_audit', 'self')
  if ('applicationId' in data && 'accountId' in data)
    return streamName('oauth2_authorization', authorizationId(data.accountId, data.applicationId))
  if ('applicationId' in data) return streamName('application', data.applicationId)
  if ('startedAt' in data) return streamName('account', data.accountId)
  if ('addressHash' in data) return streamName('email_address', data.addressHash)
  if (type === 'HandleClaimed' || type === 'HandleReleased') return streamName('handle', data.username.toLowerCase())
  if ('threadId' in data) return streamName('thread', data.threadId)
  if ('guildId' in data && type.startsWith('Discovery')) return streamName('discovery_application', data.guildId)
  if ('guildId' in data && /^(?:Emoji|Sticker|Expression)/.test(type))
    return streamName('guild_expressions', data.guildId)
  if ('guildId' in data && 'accountId' in data) return streamName('membership', `${data.guildId}-${data.accountId}`)
  if ('guildId' in data) return streamName('guild', data.guildId)
  return streamName('account', data.accountId)
}

/** Waits until a condition is true; fails if it is not after `ms_max`. */
export async function until(isSo: () => boolean | Promise<boolean>, ms_max = patience_ms): Promise<void> {
  const deadline = performance.now() + ms_max
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`Not so after ${ms_max} ms`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
