import { expect } from 'vitest'
import type { TestGuildhall } from '../../support/test-guildhall.ts'
import type { AuditEntry } from './play.ts'

/** An entry as the test compares it: who did what, with the personal parts. */
export interface FoundEntry extends AuditEntry {
  readonly adminId: string
  readonly reason: string | null
}

interface StoredEntry {
  readonly adminId: string
  readonly action: string
  readonly targetType: string
  readonly targetId: string
  readonly metadata: Readonly<Record<string, string>>
  readonly personalMetadata?: Readonly<Record<string, string>> | null
  readonly reason: string | null
  readonly personalReason?: string | null
}

/** Reads the admin audit log from its stream, on from where it was read before. */
export function auditOn({ store }: Pick<TestGuildhall, 'store'>) {
  let last = -1
  return async (admins: ReadonlySet<string>): Promise<readonly FoundEntry[]> => {
    const found: FoundEntry[] = []
    for await (const page of store.events.readStream('admin_audit-self', last))
      for (const { type, data, revision } of page) {
        last = revision
        const entry = data as unknown as StoredEntry
        // Keys are made as they are needed, and the model does not follow them.
        const isFollowed = type === 'AdminActionRecorded' && entry.targetType !== 'admin_api_key'
        if (isFollowed && admins.has(entry.adminId)) found.push(shown(entry))
      }
    return found
  }
}

function shown(entry: StoredEntry): FoundEntry {
  const { adminId, action, targetType, targetId, metadata, personalMetadata, reason, personalReason } = entry
  return {
    adminId,
    action,
    targetType,
    targetId,
    metadata: { ...metadata, ...personalMetadata },
    reason: personalReason ?? reason,
  }
}

/** Compares new entries with the model's. */
export function expectEntries(
  found: readonly FoundEntry[],
  wanted: readonly AuditEntry[],
  by: Pick<FoundEntry, 'adminId' | 'reason'>,
): void {
  expect(found).toStrictEqual(wanted.map((entry) => ({ ...entry, ...by })))
}
