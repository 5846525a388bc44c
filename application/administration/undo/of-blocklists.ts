import { blocklistEntry } from '../../../domain/blocklist-entry/blocklist-entry.ts'
import type { BlocklistEntryAdded, BlocklistEntryEvent, EntryDetails } from '../../../domain/blocklist-entry/events.ts'
import type { BlocklistEntryState } from '../../../domain/blocklist-entry/state.ts'
import { backgroundJobId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { sameJson } from '../../../domain/kernel/same-json.ts'
import { categoryOf } from '../../../domain/streams.ts'
import { shownValue } from '../../content-rules/entry-ids.ts'
import type { RecordedEvent, StreamAsOf } from '../../ports/event-store.ts'
import type { Act } from './find-act.ts'
import { actInStream, changedAgain, historyOf, type ActInStream } from './folded-steps.ts'
import { changedNothing, type FindUndoing, type UndoNeeds, type UndoStep } from './undo-rule.ts'

type Acted = ActInStream<BlocklistEntryState, BlocklistEntryEvent>
type Listed = Pick<BlocklistEntryAdded, 'list' | 'scope'> & { readonly value: string }

/** One value of a list, and what it becomes again: details, or null for none. */
interface Part extends Listed {
  readonly wasListed: boolean
  readonly to: EntryDetails | null
  /** The members of the details that differ from now. */
  readonly changes: Partial<EntryDetails>
}

/** How many streams are read at once. */
const readAtOnce = 50

/**
 * What takes back an act on a blocklist. Values that were added are removed, removed ones added with the details that they had, and
 * details are changed back, but for members that the act left alone. What is already as it was is left out, unless everything is.
 */
export const undoOnBlocklist: FindUndoing = async (needs, act) => {
  if (act.target.type === 'job' && (await isGoingOn(needs, act)))
    return { outcome: 'unfinished', why: 'Its job still goes on: wait for it, or cancel it.' }
  const streams = act.streams.filter((stream) => categoryOf(stream) === 'blocklist_entry')
  const parts: Part[] = []
  const asOf: StreamAsOf[] = []
  let done: RecordedEvent | undefined
  for (let from = 0; from < streams.length; from += readAtOnce) {
    const histories = streams.slice(from, from + readAtOnce).map((stream) => historyOf(needs.events, stream))
    for (const history of await Promise.all(histories)) {
      const acted = actInStream(blocklistEntry, history, act)
      if (!acted || sameJson(acted.before, acted.after)) continue
      const by = changedAgain(acted, factOf(acted))
      const isDone = sameJson(factOf(acted)(acted.now), factOf(acted)(acted.before))
      if (by && !isDone) return { outcome: 'changed_since', by }
      if (by) done ??= by
      else parts.push(partOf(needs, acted))
      asOf.push({ stream: acted.stream, revision: acted.revision })
    }
  }
  if (parts.length > 0) return { outcome: 'undo', steps: stepsOf(parts), asOf }
  return done ? { outcome: 'changed_since', by: done } : changedNothing
}

async function isGoingOn({ backgroundJobs }: UndoNeeds, { target }: Act): Promise<boolean> {
  const job = await backgroundJobs.find(backgroundJobId(snowflake(target.id)))
  return job !== undefined && (job.status === 'queued' || job.status === 'running')
}

/** What an act changed: the members of the details, or that there is an entry, with all that it says. */
function factOf({ before, after }: Acted): (state: BlocklistEntryState) => unknown {
  if (before.status !== 'listed' || after.status !== 'listed') return (state) => state
  const members = changedMembers(before.details, after.details)
  return (state) => (state.status === 'listed' ? members.map((member) => state.details[member]) : null)
}

function changedMembers(before: EntryDetails, after: EntryDetails): readonly (keyof EntryDetails)[] {
  const members = Object.keys(before) as (keyof EntryDetails)[]
  return members.filter((member) => before[member] !== after[member])
}

function partOf(needs: UndoNeeds, acted: Acted): Part {
  const { before, after, now } = acted
  const listed = listedIn(needs, acted)
  if (before.status === 'absent') return { ...listed, wasListed: now.status === 'listed', to: null, changes: {} }
  if (after.status === 'absent' || now.status === 'absent')
    return { ...listed, wasListed: false, to: before.details, changes: {} }
  const changes = Object.fromEntries(
    changedMembers(before.details, after.details).map((member) => [member, before.details[member]]),
  )
  return { ...listed, wasListed: true, to: { ...now.details, ...changes }, changes }
}

/** The value of an entry, as it was last added before the act, or by it. */
function listedIn({ blocklistBox }: UndoNeeds, { untilThen }: Acted): Listed {
  const added = untilThen.findLast(({ event }) => event.type === 'BlocklistEntryAdded')?.event
  if (added?.type !== 'BlocklistEntryAdded') throw new Error('An entry of a blocklist was changed that nothing added')
  const { entryId, list, scope, value } = added.data
  return { list, scope, value: shownValue(blocklistBox, list, entryId, value) }
}

/** As few requests as possible: one for all values of a list and scope that become the same. */
function stepsOf(parts: readonly Part[]): readonly UndoStep[] {
  const groups = new Map<string, Part[]>()
  for (const part of parts) {
    const key = JSON.stringify([part.list, part.scope, part.to])
    groups.set(key, [...(groups.get(key) ?? []), part])
  }
  return [...groups.values()].flatMap(stepsOfGroup)
}

function stepsOfGroup(parts: readonly Part[]): readonly UndoStep[] {
  const [first] = parts
  if (!first) return []
  const { list, scope, to: details } = first
  const where = { on: 'blocklist', list, scope } as const
  const values = parts.map(({ value }) => value)
  if (details === null) return [{ ...where, does: 'remove', values }]
  if (parts.length === 1 && first.wasListed)
    return [{ ...where, does: 'change', value: first.value, changes: first.changes }]
  return [{ ...where, does: 'add', values, details }]
}
