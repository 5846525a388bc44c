import { z } from 'zod'
import { accountIdInput } from '../../schemas/scalars.ts'

/** The path of an operation on an account, for administrators. */
export const userParams = z.object({ user_id: accountIdInput })

/** Part of an audit rule: the target is the account of the path. */
export const ofUser = {
  target: 'user',
  targetId: ({ params }: { readonly params: Pick<z.output<typeof userParams>, 'user_id'> }): string => params.user_id,
}
