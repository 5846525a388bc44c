import { z } from 'zod'
import type { EventMetadata } from '../../application/ports/event-store.ts'
import { adminCredentials } from '../../domain/admin-audit/events.ts'
import type { AccountId, EntryId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { Sealed } from './sealing.ts'

/**
 * Metadata as stored: with the version of the event's shape, and without the event's id, which stores keep in a column of its
 * own.
 */
type StoredMetadata = Omit<EventMetadata, 'eventId'> & {
  readonly schemaVersion: number
  /** Replaces `reason` if the reason is personal. */
  readonly sealedReason?: Sealed
}

const branded = <Text extends string>() => z.custom<Text>((value) => typeof value === 'string')

const storedMetadata = z.object({
  schemaVersion: z.int().min(1),
  at: branded<Timestamp>(),
  actor: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('account'), id: branded<AccountId>() }),
    z.object({ kind: z.literal('admin_key'), id: z.string(), accountId: branded<AccountId>() }),
    z.object({ kind: z.literal('system'), name: z.string() }),
  ]),
  correlationId: z.string(),
  causationId: z.string(),
  clientRequestId: z.string().exactOptional(),
  operation: z.string().exactOptional(),
  reason: z.string().exactOptional(),
  sealedReason: z.object({ $sealed: z.string() }).exactOptional(),
  adminAction: z
    .object({
      entryId: branded<EntryId>(),
      commandId: z.string(),
      adminId: branded<AccountId>(),
      credential: z.enum(adminCredentials),
      action: z.string(),
      target: z.object({ type: z.string(), id: z.string() }),
    })
    .exactOptional(),
})

/** The JSON text of an event's metadata. */
export function encodeMetadata(
  { eventId: _, ...metadata }: EventMetadata & Pick<StoredMetadata, 'sealedReason'>,
  schemaVersion: number,
): string {
  return JSON.stringify({ schemaVersion, ...metadata } satisfies StoredMetadata)
}

/** The version of an event's shape, its metadata, and the sealed parts. Throws if a member is missing or of another kind. */
export function decodeMetadata(
  stored: unknown,
  eventId: string,
): { readonly schemaVersion: number; readonly metadata: EventMetadata; readonly sealedReason: Sealed | undefined } {
  const { schemaVersion, sealedReason, ...metadata } = storedMetadata.parse(stored)
  return { schemaVersion, metadata: { eventId, ...metadata }, sealedReason }
}
