import { z } from 'zod'
import type { PasskeyRecord } from '../../ports/queries/passkey-queries.ts'
import { timestampOutput } from '../scalars.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

/** A passkey. Its key and counter are never shown. */
export const passkeySchema = wireObject('WebAuthnCredential', {
  id: z.string(),
  name: z.string(),
  created_at: timestampOutput,
  last_used_at: timestampOutput.nullable(),
})

export type PasskeyObject = ObjectOf<typeof passkeySchema>

/** A passkey: what its holder recognises it by, without key material. */
export function passkeyObject({ id, name, registeredAt, lastUsedAt }: PasskeyRecord): PasskeyObject {
  return objectOf(passkeySchema, { id, name, created_at: registeredAt, last_used_at: lastUsedAt })
}
