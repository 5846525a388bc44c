import { z } from 'zod'
import { relationshipCategories } from '../../../../application/wire-objects/administration/admin-relationship-object.ts'
import { accountIdInput, textInput } from '../scalars.ts'

export const terminatedSessions = z
  .object({ terminated_count: z.int().min(0).describe('How many sessions ended.') })
  .meta({ id: 'TerminatedSessions' })

export const passkeyParams = z.object({ user_id: accountIdInput, credential_id: textInput({ min: 1, max: 512 }) })

export const relationshipParams = z.object({ user_id: accountIdInput, target_user_id: accountIdInput })
export const relationshipCategory = z.object({ category: z.enum(relationshipCategories) })

export const removedRelationships = z
  .object({ removed_count: z.int().min(0).describe('How many relationships were removed.') })
  .meta({ id: 'RemovedRelationships' })
