import { postgresBackgroundJobs } from '../../adapters/background-jobs/postgres-background-jobs.ts'
import { postgresDiscoveryClaims } from '../../adapters/discovery-claims/postgres-discovery-claims.ts'
import { blocklistSecrets } from '../../application/content-rules/entry-ids.ts'
import type { FindActNeeds } from '../../application/administration/undo/find-act.ts'
import type { UndoNeeds } from '../../application/administration/undo/undo-rule.ts'
import type { RecordedEvent } from '../../application/ports/event-store.ts'
import type { AdminAuditRecord } from '../../application/ports/queries/admin-audit-queries.ts'
import type { IndexedEvent } from '../../application/ports/queries/history-queries.ts'
import { sealedBox } from '../../application/secrets/sealed-box.ts'
import type { AdminActionRecorded } from '../../domain/admin-audit/events.ts'
import { liveCheckpoints, positionOf } from '../../projections/runner/registry.ts'
import { openQueries, readModels } from '../../projections/read-models.ts'
import { policiesOf } from '../commands/instance.ts'
import type { Store } from '../../process/store.ts'

/** What undoing an act reads, also where the read models do not hold the newest events yet, as when no server runs. */
export async function undoNeeds(store: Store): Promise<UndoNeeds & FindActNeeds> {
  const { database, events, personalDataKey } = store
  const queries = openQueries(database)
  const newest = await eventsAfterReadModels(store)
  const indexed = newest.map(indexedOf)
  return {
    events,
    backgroundJobs: postgresBackgroundJobs(database),
    discoveryClaims: postgresDiscoveryClaims(database),
    instancePolicies: await policiesOf(store),
    blocklistBox: sealedBox(personalDataKey, blocklistSecrets),
    queries: {
      ...queries,
      adminAudit: {
        ...queries.adminAudit,
        find: async (id) => (await queries.adminAudit.find(id)) ?? recordOf(newest, id),
      },
      history: {
        ...queries.history,
        find: async (id) => (await queries.history.find(id)) ?? indexed.find(({ eventId }) => eventId === id),
        ofEntry: async (id, limit) => [
          ...(await queries.history.ofEntry(id, limit)),
          ...indexed.filter(({ entryId }) => entryId === id),
        ],
        ofCorrelation: async (id, limit) => [
          ...(await queries.history.ofCorrelation(id, limit)),
          ...indexed.filter(({ correlationId }) => correlationId === id),
        ],
      },
    },
  }
}

async function eventsAfterReadModels({ database, events }: Store): Promise<readonly RecordedEvent[]> {
  const read = positionOf(await liveCheckpoints(database.pool), readModels)
  const newest: RecordedEvent[] = []
  for await (const page of events.readAll(read)) newest.push(...page)
  return newest
}

function indexedOf({ position, stream, revision, type, data, metadata }: RecordedEvent): IndexedEvent {
  const { eventId, at, actor, correlationId, causationId, adminAction } = metadata
  return {
    position,
    eventId,
    stream,
    revision,
    type,
    at,
    actor: actor.kind === 'system' ? actor.name : actor.kind === 'account' ? actor.id : actor.accountId,
    correlationId,
    causationId,
    entryId: recordedIn({ type, data })?.entryId ?? adminAction?.entryId ?? null,
  }
}

function recordOf(newest: readonly RecordedEvent[], id: string): AdminAuditRecord | undefined {
  for (const event of newest) {
    const entry = recordedIn(event)
    if (entry?.entryId === id) return { ...entry, id: entry.entryId, createdAt: entry.actedAt }
  }
  return undefined
}

/** The codec has checked the data. */
function recordedIn({ type, data }: Pick<RecordedEvent, 'type' | 'data'>): AdminActionRecorded | undefined {
  return type === 'AdminActionRecorded' ? (data as AdminActionRecorded) : undefined
}
