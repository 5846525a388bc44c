import { z } from 'zod'
import type { WantedUsers } from '../../../../application/administration/users/list-users.ts'
import { queryInteger, repeated } from '../query-inputs.ts'
import { accountIdInput, textInput } from '../scalars.ts'
import { searchedText } from './searched-text.ts'
import { adminUserSchema } from '../../../../application/wire-objects/administration/admin-user-object.ts'

const selectedIds_max = 100
const usersPage_max = 200
const usersPageDefault = 50
const usersOffset_max = 100_000

/** The query of List users. Of several selectors the first one below counts; all parameters are validated. */
export const wantedUsers = z
  .object({
    user_id: repeated(accountIdInput, selectedIds_max),
    resolve: textInput({ min: 1, max: 1024 }).optional(),
    email: textInput({ min: 1, max: 320 }).optional(),
    last_active_ip: textInput({ min: 1, max: 64 }).optional(),
    q: searchedText.optional(),
    limit: queryInteger({ min: 1, max: usersPage_max }, usersPageDefault),
    offset: queryInteger({ min: 0, max: usersOffset_max }, 0),
  })
  .transform(({ user_id, resolve, email, last_active_ip, q, limit, offset }): WantedUsers => {
    if (user_id.length > 0) return { selector: 'user_id', ids: [...new Set(user_id)] }
    if (resolve !== undefined) return { selector: 'resolve', identifier: resolve }
    if (email !== undefined) return { selector: 'email', address: email }
    const page = { limit, offset }
    if (last_active_ip !== undefined) return { selector: 'last_active_ip', ip: last_active_ip, page }
    return { selector: 'search', text: q ?? '', page }
  })

export const listedUsers = z.object({
  users: z.array(adminUserSchema).readonly(),
  total: z.int().describe('How many there are on all pages.'),
})
