import { discoveryApplication } from '../../../domain/discovery-application/discovery-application.ts'
import type { DiscoveryApplicationEvent } from '../../../domain/discovery-application/events.ts'
import type { DirectoryListing } from '../../../domain/discovery-application/listing.ts'
import type { DiscoveryApplicationState } from '../../../domain/discovery-application/state.ts'
import { guildId, type GuildId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { sameJson } from '../../../domain/kernel/same-json.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import { categoryOf, idOf } from '../../../domain/streams.ts'
import type { RecordedEvent, StreamAsOf } from '../../ports/event-store.ts'
import { claim_seconds } from '../discovery/review-queue.ts'
import type { Act } from './find-act.ts'
import { actInStream, changedAgain, historyOf, type ActInStream } from './folded-steps.ts'
import { changedNothing, type FindUndoing, type UndoNeeds } from './undo-rule.ts'

type Acted = ActInStream<DiscoveryApplicationState, DiscoveryApplicationEvent>

async function actedOn({ events }: UndoNeeds, act: Act): Promise<readonly Acted[]> {
  const streams = act.streams.filter((stream) => categoryOf(stream) === 'discovery_application')
  const each: Acted[] = []
  for (const stream of streams) {
    const acted = actInStream(discoveryApplication, await historyOf(events, stream), act)
    if (acted) each.push(acted)
  }
  return each
}

const guildOf = ({ stream }: Acted): GuildId => guildId(snowflake(idOf(stream)))

function listingOf(state: DiscoveryApplicationState): DirectoryListing | null {
  return state.status === 'absent' ? null : state.listing
}

/** What takes back the edit of a listing: its members get what they said before, while it is pending or approved. */
export const undoEdit: FindUndoing = async (needs, act) => {
  const [acted] = await actedOn(needs, act)
  const before = acted && listingOf(acted.before)
  const after = acted && listingOf(acted.after)
  if (!acted || !before || !after) return changedNothing
  const members = (Object.keys(before) as (keyof DirectoryListing)[]).filter(
    (member) => !sameJson(before[member], after[member]),
  )
  if (members.length === 0) return changedNothing
  const later = changedAgain(acted, (state) => {
    const listing = listingOf(state)
    return [isOpen(state), members.map((member) => listing?.[member])]
  })
  if (later) return { outcome: 'changed_since', by: later }
  const changes: Partial<DirectoryListing> = Object.fromEntries(members.map((member) => [member, before[member]]))
  return {
    outcome: 'undo',
    steps: [{ on: 'listing', guildId: guildOf(acted), does: 'edit', changes }],
    asOf: [acted],
  }
}

/** What takes back a move of listings: one move for each category that they were in. Those that are back already are left out. */
export const undoMove: FindUndoing = async (needs, act) => {
  const moves = new Map<number, GuildId[]>()
  const asOf: StreamAsOf[] = []
  let done: RecordedEvent | undefined
  for (const acted of await actedOn(needs, act)) {
    const before = listingOf(acted.before)
    if (!before) continue
    const fact = (state: DiscoveryApplicationState) => [isOpen(state), listingOf(state)?.categoryType]
    const by = changedAgain(acted, fact)
    const isDone = sameJson(fact(acted.now), fact(acted.before))
    if (by && !isDone) return { outcome: 'changed_since', by }
    asOf.push(acted)
    if (by) done ??= by
    else moves.set(before.categoryType, [...(moves.get(before.categoryType) ?? []), guildOf(acted)])
  }
  const steps = [...moves].map(([categoryType, guilds]) => ({ on: 'categories', guilds, categoryType }) as const)
  if (steps.length > 0) return { outcome: 'undo', steps, asOf }
  return done ? { outcome: 'changed_since', by: done } : changedNothing
}

/** What takes back the removal of a listing, which is its restoration, or that, which is a removal for the same reason. */
export const undoListing: FindUndoing = async (needs, act) => {
  const [acted] = await actedOn(needs, act)
  if (!acted || acted.before.status === acted.after.status) return changedNothing
  const later = changedAgain(acted, ({ status }) => status)
  if (later) return { outcome: 'changed_since', by: later }
  const where = { on: 'listing', guildId: guildOf(acted) } as const
  if (acted.after.status === 'removed')
    return { outcome: 'undo', steps: [{ ...where, does: 'restore' }], asOf: [acted] }
  const reason = acted.before.status === 'removed' ? acted.before.removalReason : null
  if (reason === null)
    return {
      outcome: 'no_opposite',
      why: 'The listing was removed with its feature, and so without a reason to give again.',
    }
  return { outcome: 'undo', steps: [{ ...where, does: 'remove', reason }], asOf: [acted] }
}

/** What takes back a claim of an application: its release, by who claimed it, while that claim runs. */
export const undoApplicationClaim: FindUndoing = async ({ discoveryClaims }, act, { by, now }) => {
  if (act.adminId !== by)
    return {
      outcome: 'no_opposite',
      why: 'Only the administrator who claimed the application can release it; the claim ends by itself.',
    }
  const id = guildId(snowflake(act.target.id))
  const [running] = await discoveryClaims.running([id], now)
  if (running?.by !== by || running.until !== secondsAfter(act.at ?? now, claim_seconds))
    return { outcome: 'nothing_to_undo', why: 'The claim has ended, or was made anew since.' }
  return { outcome: 'undo', steps: [{ on: 'application_claim', guildId: id }], asOf: [] }
}

function isOpen({ status }: DiscoveryApplicationState): boolean {
  return status === 'pending' || status === 'approved'
}
