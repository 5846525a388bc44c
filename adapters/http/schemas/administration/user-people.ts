import { z } from 'zod'
import { relationshipCategories } from '../../../../application/wire-objects/administration/admin-relationship-object.js'
import { accountIdInput, textInput } from '../scalars.js'

/** Contract part 3, Terminate user sessions. */
export const terminatedSessions = z.object({ terminated_count: z.int().min(0) }).meta({ id: 'TerminatedSessions' })

/** Contract part 3, Delete user WebAuthn credential. */
export const passkeyParams = z.object({ user_id: accountIdInput, credential_id: textInput({ min: 1, max: 512 }) })

/** Contract part 3, Remove one user relationship. */
export const relationshipParams = z.object({ user_id: accountIdInput, target_user_id: accountIdInput })
export const relationshipCategory = z.object({ category: z.enum(relationshipCategories) })

/** Contract part 3, Remove user relationships by category. */
export const removedRelationships = z.object({ removed_count: z.int().min(0) }).meta({ id: 'RemovedRelationships' })
