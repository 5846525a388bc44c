import { Refused } from '../../application/commands/refused.js'
import type { Aggregates } from '../../application/ports.js'
import { adminAcls, isAdminAcl } from '../../domain/admin/acls.js'
import type { AccountId } from '../../domain/ids/ids.js'
import { openAggregates } from '../aggregates.js'
import { accountNamed, nobody } from './account-named.js'
import { changeBesideServer } from './change-beside.js'
import { operatorContext } from './operator-context.js'

/**
 * Adds Admin ACLs to an account. This is how an instance gets its first administrator. A running server applies them once this
 * resolves.
 */
export async function adminGrant(who: string, acls: readonly string[], print: (line: string) => void): Promise<void> {
  const wrong = acls.find((acl) => !isAdminAcl(acl))
  if (wrong !== undefined) throw new Error(`${wrong} is not an ACL. The ACLs are: ${adminAcls.join(' ')}`)
  await changeBesideServer({ print }, async (store) => {
    const aggregates = openAggregates({ store: store.events, snapshots: store.snapshots })
    const account = await accountNamed(who, store, aggregates)
    const held = await grant(aggregates, account, acls)
    print(`Account ${account} now holds: ${held.join(', ')}`)
  })
}

async function grant({ account }: Aggregates, id: AccountId, acls: readonly string[]): Promise<readonly string[]> {
  try {
    const { state } = await account.execute(id, { type: 'GrantAcls', accountId: id, acls }, operatorContext())
    return state.status === 'registered' ? state.acls : []
  } catch (error) {
    if (error instanceof Refused && error.refusal.code === 'UNKNOWN_USER') throw nobody(id)
    throw error
  }
}
