import { z } from 'zod'
import { usernameLength } from '../../../../domain/account/names.ts'
import { relationshipTypes } from '../../../../domain/relationship/relationship-types.ts'
import { accountIdInput, textInput, withDefault } from '../scalars.ts'
import { discriminatorInput } from '../identity/account/own-account.ts'

export const relationshipParams = z.object({ user_id: accountIdInput })

/** The account that a friend request names. */
export const requestedTag = z.object({ username: textInput(usernameLength), discriminator: discriminatorInput })

/** A block is named by its type. Any other type, or none, accepts a request. */
export const relationshipWish = z
  .object({ type: z.int().nullish() })
  .transform(({ type }) => ({ blocks: type === relationshipTypes.blocked }))

/** An empty nickname counts as none. */
export const nicknameWish = z.object({
  nickname: textInput({ min: 0, max: 256 })
    .transform((text) => (text === '' ? null : text))
    .nullable(),
})

/** Accounts count as new for a week by default. */
const newAccount_s = 7 * 86_400

export const ignoredRequests = z
  .object({
    filter: withDefault(z.enum(['all', 'new_accounts']), 'all'),
    max_account_age_seconds: withDefault(z.int().min(1), newAccount_s),
  })
  .transform(({ filter, max_account_age_seconds: accountAge_s_max }) =>
    filter === 'all' ? { filter } : { filter, accountAge_s_max },
  )

export const ignoredAnswer = z
  .object({ ignored_count: z.int().min(0).describe('How many requests were ignored.') })
  .meta({ id: 'IgnoredFriendRequests' })
