import { listUsers, type WantedUsers } from '../../../../application/administration/users/list-users.ts'
import { admin } from '../../callers.ts'
import { operation, type Operation } from '../../operation.ts'
import { listedUsers, wantedUsers } from '../../schemas/administration/user-lists.ts'
import { adminLookup } from './buckets.ts'

/** The use case checks the ACL of the selector that counts, and of no other one. */
const listUsersOperation = operation({
  name: 'List users',
  description: 'Finds accounts by one selector.',
  route: 'GET /v1/admin/users',
  callers: admin({ acls: ['user:lookup'] }),
  bucket: adminLookup,
  query: wantedUsers,
  replies: { 200: listedUsers },
  adminAudit: {
    action: 'search_users',
    target: 'user',
    metadata: ({ query }, { users, total }) => ({
      selector: query.selector,
      result_count: String(users.length),
      total: String(total),
      ...detailsOf(query),
    }),
  },
  refuses: ['FEATURE_TEMPORARILY_DISABLED'],
  useCase: listUsers,
  handle: ({ caller, query }, run) => run(caller, query),
})

/**
 * Metadata of the entry for some selectors. The values that were asked for are not recorded, except one account's id.
 */
function detailsOf(wanted: WantedUsers): Readonly<Record<string, string>> {
  switch (wanted.selector) {
    case 'user_id': {
      const [first] = wanted.ids
      const only = wanted.ids.length === 1 && first !== undefined ? { user_id: first } : {}
      return { user_id_count: String(wanted.ids.length), ...only }
    }
    case 'last_active_ip':
      return pageOf(wanted)
    case 'search':
      return { ...pageOf(wanted), has_query: String(wanted.text !== '') }
    case 'resolve':
    case 'email':
      return {}
  }
}

function pageOf({ page: { limit, offset } }: Pick<Extract<WantedUsers, { selector: 'search' }>, 'page'>) {
  return { limit: String(limit), offset: String(offset) }
}

export const userListOperations: readonly Operation[] = [listUsersOperation]
