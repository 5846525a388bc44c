import { entryId, type EntryId } from '../../../domain/ids/ids.ts'
import { parseSnowflake } from '../../../domain/ids/snowflake.ts'
import type { RecordedEvent } from '../../ports/event-store.ts'
import type { Act } from './find-act.ts'
import { historyOf } from './folded-steps.ts'
import type { UndoNeeds } from './undo-rule.ts'

/**
 * The entries of acts that changed an act's streams after it and were taken back since, and of what took them back: together they
 * changed nothing.
 */
export async function undonePairs(
  { events, queries }: UndoNeeds,
  { streams, isOwn }: Act,
): Promise<ReadonlySet<EntryId>> {
  const later = new Set<EntryId>()
  for (const stream of streams) for (const id of entriesAfter(await historyOf(events, stream), isOwn)) later.add(id)
  const pairs = new Set<EntryId>()
  const takenBack = new Set<EntryId>()
  // The newest first, since what takes back may have been taken back itself. Ids grow with time.
  for (const id of [...later].toSorted((one, other) => Number(BigInt(other) - BigInt(one)))) {
    if (pairs.has(id)) continue
    const undone = undoneBy((await queries.adminAudit.find(id))?.metadata['undone_entry_id'])
    if (undone === undefined || !later.has(undone)) continue
    // One undoing may have several entries, which all name what they take back.
    if (pairs.has(undone) && !takenBack.has(undone)) continue
    takenBack.add(undone)
    pairs.add(id).add(undone)
  }
  return pairs
}

function entriesAfter(history: readonly RecordedEvent[], isOwn: Act['isOwn']): readonly EntryId[] {
  const first = history.findIndex(isOwn)
  if (first < 0) return []
  return history
    .slice(first)
    .filter((recorded) => !isOwn(recorded))
    .flatMap(({ metadata: { adminAction } }) => adminAction?.entryId ?? [])
}

function undoneBy(text: string | undefined): EntryId | undefined {
  const parsed = text === undefined ? undefined : parseSnowflake(text)
  return parsed?.ok ? entryId(parsed.id) : undefined
}
