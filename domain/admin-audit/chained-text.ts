import type { AuditedAction } from './events.js'

/**
 * The text that an entry's hash is taken of: all its members and the previous entry's hash. Personal metadata count by their
 * hash, so the chain holds after they are erased. Never changes: another text would break every chain.
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

/** The text that the hash of personal metadata is taken of. The id makes the hashes of equal values in two entries differ. */
export function personalText(
  entryId: AuditedAction['entryId'],
  metadata: NonNullable<AuditedAction['personalMetadata']>,
): string {
  return JSON.stringify([entryId, sorted(metadata)])
}

/** The store may change the order of members. */
function sorted(metadata: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(metadata).toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
}
