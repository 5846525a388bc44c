import { z } from 'zod'
import { adminUserSchema } from '../../../../application/wire-objects/administration/admin-user-object.ts'

export const adminUserReply = z.object({ user: adminUserSchema })
