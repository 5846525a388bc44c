import { call } from '../api/call.ts'
import { withIds, type Resource } from '../lists/resource.ts'

/** Accounts. The list takes each selector of List users, one at a time. */
export const users: Resource = {
  pagedBy: 'listUsers',
  list: async ({ filter, limit, offset }) => {
    const { users: found, total } = await call('listUsers', { query: { ...filter, limit, offset } })
    return { data: withIds(found, ({ id }) => id), total }
  },
  one: async (id) => (await usersOf([id]))[0] ?? null,
  many: (ids) => usersOf(ids),
}

async function usersOf(ids: readonly string[]) {
  if (ids.length === 0) return []
  const { users: found } = await call('listUsers', { query: { user_id: [...ids] } })
  return withIds(found, ({ id }) => id)
}
