import type { AuditedAction } from './events.js'

/**
 * What the hash of an entry is taken of: every member of it, and the hash of the entry before. Of personal metadata it is
 * their hash, so that the chain holds when they are erased. Kept forever: another text would break every chain.
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

/** What the hash of personal metadata is taken of. The id keeps equal values of two entries from having equal hashes. */
export function personalText(
  entryId: AuditedAction['entryId'],
  metadata: NonNullable<AuditedAction['personalMetadata']>,
): string {
  return JSON.stringify([entryId, sorted(metadata)])
}

/** The store need not keep the order of members. */
function sorted(metadata: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(metadata).toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
}
