import type { PasskeyRecord } from '../../ports/queries/passkey-queries.ts'

/** A passkey: what its holder recognises it by, without key material. */
export function passkeyObject({ id, name, registeredAt, lastUsedAt }: PasskeyRecord) {
  return { id, name, created_at: registeredAt, last_used_at: lastUsedAt }
}

export type PasskeyObject = ReturnType<typeof passkeyObject>
