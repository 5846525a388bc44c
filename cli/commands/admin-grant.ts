import { Refused } from '../../application/commands/refused.js'
import type { Aggregates } from '../../application/ports.js'
import { blindIndex } from '../../adapters/personal-data/blind-index.js'
import { accountQueries } from '../../projections/accounts/queries.js'
import { adminAcls, isAdminAcl } from '../../domain/admin/acls.js'
import { parseEmail } from '../../domain/account/names.js'
import { accountId, type AccountId } from '../../domain/ids/ids.js'
import { parseSnowflake } from '../../domain/ids/snowflake.js'
import { openAggregates } from '../aggregates.js'
import type { Store } from '../store.js'
import { besideServer } from './beside.js'
import { operatorContext } from './operator-context.js'

const tagPattern = /^(?<username>[A-Za-z0-9_]{1,32})#(?<discriminator>\d{1,4})$/

/** Adds Admin ACLs to an account: the way in which an instance gets its first administrator. */
export async function adminGrant(who: string, acls: readonly string[], print: (line: string) => void): Promise<void> {
  const wrong = acls.find((acl) => !isAdminAcl(acl))
  if (wrong !== undefined) throw new Error(`${wrong} is no ACL. There are: ${adminAcls.join(' ')}`)
  await besideServer(async (store) => {
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

async function accountNamed(
  who: string,
  { database, personalDataKey }: Store,
  aggregates: Aggregates,
): Promise<AccountId> {
  const tag = tagPattern.exec(who)?.groups
  if (tag) {
    const found = await accountQueries(database).byTag(tag['username'] ?? '', Number(tag['discriminator']))
    return found?.id ?? fail(nobody(who))
  }
  const address = parseEmail(who)
  if (address.ok) {
    const { state } = await aggregates.emailAddress.load(blindIndex(personalDataKey)(address.value))
    return state.status === 'held' ? state.accountId : fail(nobody(who))
  }
  const id = parseSnowflake(who)
  return id.ok
    ? accountId(id.id)
    : fail(new Error(`${who} is neither an id, nor a tag as in Ada#0001, nor an e-mail address`))
}

const nobody = (who: string): Error => new Error(`There is no account ${who}`)

function fail(error: Error): never {
  throw error
}
