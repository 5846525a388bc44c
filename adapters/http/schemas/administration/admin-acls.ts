import { z } from 'zod'
import { adminAcls, type AdminAcl } from '../../../../domain/admin/acls.ts'
import { aclsOutput } from '../../../../application/wire-objects/administration/admin-user-object.ts'

/** A set of ACLs of the registry. Repeats collapse, and ACLs outside the registry are refused. */
export const aclsInput = z
  .array(z.enum(adminAcls))
  .max(adminAcls.length)
  .transform((acls): readonly AdminAcl[] => [...new Set(acls)])

export const aclsBody = z.object({ acls: aclsInput })

export const aclRegistry = z
  .object({ acls: aclsOutput.describe('Rights of the registry of ACLs; * stands for all.') })
  .meta({ id: 'AdminAclRegistry' })
