import type { AuditedAction } from './events.ts'

/**
 * The text that an entry's hash is taken of: all its members and the previous entry's hash. What is personal counts by its
 * hash, so the chain holds after it is erased. Never changes: another text would break every chain.
 */
export function chainedText(entry: AuditedAction, previousHash: string | null): string {
  return JSON.stringify([
    previousHash,
    entry.entryId,
    entry.adminId,
    entry.credential,
    entry.action,
    entry.targetType,
    entry.targetId,
    sorted(entry.metadata),
    entry.personalHash,
    entry.reason,
    entry.actedAt,
  ])
}

/** What of an entry is personal; a member is null, or absent, for none and after its erasure. */
export type PersonalParts = Pick<AuditedAction, 'entryId' | 'personalMetadata' | 'personalReason'>

/**
 * The text of an entry's personal parts, which is hashed for the chain; null if there are none. The id makes the hashes
 * of equal values in two entries differ. The text of an entry without a personal reason never changes.
 */
export function personalText({ entryId, personalMetadata, personalReason = null }: PersonalParts): string | null {
  const metadata = personalMetadata && sorted(personalMetadata)
  if (personalReason !== null) return JSON.stringify([entryId, metadata, personalReason])
  return metadata && JSON.stringify([entryId, metadata])
}

/** The store may change the order of members. */
function sorted(metadata: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(metadata).toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
}
