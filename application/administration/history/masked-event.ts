import type { AdminAcl } from '../../../domain/admin/acls.ts'
import { reasonShownTo, shownTo } from '../../../domain/admin/personal-members.ts'
import { categoryOf } from '../../../domain/streams.ts'
import { personalParts } from '../../../domain/personal-parts.ts'
import type { NewEvent, RecordedEvent } from '../../ports/event-store.ts'

/** Which ACLs the reader of history may use to see what is personal. */
export type Revealed = (acl: AdminAcl) => boolean

/** For a reader who has not asked to see anything personal. */
export const nothingRevealed: Revealed = () => false

/** An event, of a stream or still to be appended to it. */
type Shown = NewEvent & Pick<RecordedEvent, 'stream'>

/** An event as a reader may see it. */
export interface MaskedEvent<Event extends Shown = RecordedEvent> {
  /** With null for each personal member that is left out, as it is once the account's key is destroyed. */
  readonly event: Event
  /** The members that are left out, in the order of the event; `reason` of the metadata as `metadata.reason`. */
  readonly leftOut: readonly string[]
}

/**
 * Leaves out what is personal and not revealed: members of the data and the reason. A member that is null is not left out, since
 * there is nothing to see (rules/administration#history).
 */
export function maskedEvent<Event extends Shown>(event: Event, revealed: Revealed): MaskedEvent<Event> {
  const { members, reason } = personalParts(event)
  const category = categoryOf(event.stream) ?? ''
  const hidden = members.filter((member) => {
    const value: unknown = (event.data as Readonly<Record<string, unknown>>)[member]
    return value !== null && value !== undefined && !isRevealed(shownTo(category, member), revealed)
  })
  const hidesReason = reason && event.metadata.reason !== undefined && !isRevealed(reasonShownTo, revealed)
  if (hidden.length === 0 && !hidesReason) return { event, leftOut: [] }
  const data = { ...event.data, ...Object.fromEntries(hidden.map((member) => [member, null])) }
  const { reason: _, ...metadata } = event.metadata
  return {
    event: { ...event, data, metadata: hidesReason ? metadata : event.metadata },
    leftOut: hidesReason ? [...hidden, 'metadata.reason'] : hidden,
  }
}

function isRevealed(to: ReturnType<typeof shownTo>, revealed: Revealed): boolean {
  return to !== 'nobody' && revealed(to)
}
