import { z } from 'zod'
import type { AccountId } from '../../../../domain/ids/ids.ts'
import { limitDefinitions } from '../../../../domain/limits/limit-keys.ts'
import { accountIdInput } from '../scalars.ts'

/** Create private channel names at most this many accounts; the caller is one more. */
const otherRecipients_max = limitDefinitions.max_group_dm_recipients.value - 1

/** Either the account to write to, or the members of a new group: exactly one of the two. */
export type PrivateChannelWishes =
  | { readonly kind: 'direct'; readonly recipient: AccountId }
  | { readonly kind: 'group'; readonly recipients: readonly AccountId[] }

export const privateChannelWishes = z
  .object({
    recipient_id: accountIdInput.nullish(),
    recipients: z.array(accountIdInput).max(otherRecipients_max).nullish(),
  })
  .transform(({ recipient_id: recipient, recipients }, context): PrivateChannelWishes => {
    const isOfOne = recipient !== undefined && recipient !== null
    const isOfMany = recipients !== undefined && recipients !== null
    if (isOfOne && isOfMany) return recipientsIssue(context, 'INVALID_FORMAT')
    if (isOfOne) return { kind: 'direct', recipient }
    return isOfMany && recipients.length > 0
      ? { kind: 'group', recipients }
      : recipientsIssue(context, 'AT_LEAST_ONE_RECIPIENT_REQUIRED')
  })

function recipientsIssue(context: z.RefinementCtx, code: 'INVALID_FORMAT' | 'AT_LEAST_ONE_RECIPIENT_REQUIRED'): never {
  context.addIssue({ code: 'custom', message: code, params: { code }, path: ['recipients'] })
  return z.NEVER
}
