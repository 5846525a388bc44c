import { z } from 'zod'
import { setPremium } from '../../application/identity/premium/set-premium.ts'
import { admin } from '../../adapters/http/callers.ts'
import { operation } from '../../adapters/http/operation.ts'
import { adminUserModify } from '../../adapters/http/operations/administration/buckets.ts'
import { ofUser, userParams } from '../../adapters/http/operations/administration/of-users.ts'

const premiumWish = z.object({ premium: z.enum(['lifetime', 'none']) })

/** `number`: that of a lifetime holder; null for none. */
export const premiumReply = z.object({ number: z.int().nullable() })

/**
 * Gives an account lifetime premium, or takes all premium away. No server serves this operation: it is declared so that
 * the command is validated and recorded as all others are.
 */
export const setPremiumOperation = operation({
  name: 'Set premium',
  description: 'Sets the premium of an account.',
  route: 'PUT /v1/admin/users/:user_id/premium',
  callers: admin({ acls: [] }),
  bucket: adminUserModify,
  params: userParams,
  body: premiumWish,
  replies: { 200: premiumReply },
  adminAudit: { action: 'set_premium', ...ofUser, metadata: ({ body }) => ({ premium: body.premium }) },
  refuses: ['UNKNOWN_USER'],
  useCase: setPremium,
  handle: async ({ caller, params, body }, run) => ({
    number: await run(params.user_id, body.premium, caller.context),
  }),
})
