import type { PostgresConnection } from '../../adapters/postgres/database.ts'
import { inAclQueue } from '../../application/access/acl-queue.ts'
import { Refused } from '../../application/commands/refused.ts'
import type { AccountRecord } from '../../application/ports/queries/account-queries.ts'
import { adminAcls, isAdminAcl } from '../../domain/admin/acls.ts'
import type { AccountCommand } from '../../domain/account/commands.ts'
import type { AccountId } from '../../domain/ids/ids.ts'
import { administrators } from '../../projections/accounts/queries.ts'
import { openAggregates } from '../../process/aggregates.ts'
import { actAsOperator } from '../operator/act-as-operator.ts'
import { operatorLocks } from '../operator/operator-locks.ts'
import { refuseWithoutReadModels } from '../../process/read-models-fit.ts'
import type { Store } from '../../process/store.ts'
import { accountNamed, nobody } from './account-named.ts'
import { besideServer } from './beside.ts'
import { changeBesideServer } from './change-beside.ts'

type Print = (line: string) => void
type AclsCommand = Extract<AccountCommand, { readonly type: 'GrantAcls' | 'SetAcls' }>

const administrators_max = 1000

/**
 * Adds Admin ACLs to an account. This is how an instance gets its first administrator. A running server applies them once this
 * resolves.
 */
export async function adminGrant(who: string, acls: readonly string[], print: Print): Promise<void> {
  const wrong = acls.find((acl) => !isAdminAcl(acl))
  if (wrong !== undefined) throw new Error(`${wrong} is not an ACL. The ACLs are: ${adminAcls.join(' ')}`)
  await changeAcls(who, print, (account) => ({ type: 'GrantAcls', accountId: account, acls }))
}

/**
 * Takes Admin ACLs from an account: those that are named, or all. A running server applies it once this resolves. Rejects if the
 * account does not hold one of them.
 */
export async function adminRevoke(who: string, acls: readonly string[], print: Print): Promise<void> {
  await changeAcls(who, print, (account, held) => {
    if (held.length === 0) throw new Error(`Account ${account} holds no ACLs`)
    const missing = acls.find((acl) => !held.includes(acl))
    if (missing !== undefined) throw new Error(`Account ${account} does not hold ${missing}, but ${held.join(' ')}`)
    return { type: 'SetAcls', acls: acls.length === 0 ? [] : held.filter((acl) => !acls.includes(acl)) }
  })
}

/** Prints the accounts that hold Admin ACLs, one on each line, the oldest first. */
export async function adminList(print: Print): Promise<void> {
  await besideServer(async (store) => {
    await refuseWithoutReadModels(store)
    const found = await administrators(store.database, administrators_max)
    for (const administrator of found) print(lineOf(administrator))
    if (found.length === 0) print("Nobody holds Admin ACLs: guildhall admin grant <who> '*' makes the first")
    if (found.length === administrators_max) print(`These are the first ${administrators_max}.`)
  })
}

async function changeAcls(
  who: string,
  print: Print,
  commandFor: (account: AccountId, held: readonly string[]) => AclsCommand,
): Promise<void> {
  await changeBesideServer({ print }, async (store, connection) => {
    const account = await accountNamed(who, store, openAggregates({ store: store.events, snapshots: store.snapshots }))
    const held = await inQueue(connection, () => change(store, account, commandFor))
    print(
      held.length === 0 ? `Account ${account} holds no ACLs now` : `Account ${account} now holds: ${held.join(', ')}`,
    )
  })
}

function change(
  store: Store,
  id: AccountId,
  commandFor: (account: AccountId, held: readonly string[]) => AclsCommand,
): Promise<readonly string[]> {
  return actAsOperator(store, {
    action: 'set_acls',
    target: { type: 'user', id },
    async run(context, { account }) {
      const { state: before } = await account.load(id)
      if (before.status !== 'registered') throw nobody(id)
      const { state } = await account.execute(id, commandFor(id, before.acls), context)
      return state.status === 'registered' ? state.acls : []
    },
    metadata: (acls) => ({ acls: acls.join(',') }),
  })
}

/** An administrator who loses an ACL here can't be granting it in a running server at the same time. */
async function inQueue<Result>(connection: PostgresConnection, act: () => Promise<Result>): Promise<Result> {
  try {
    return await inAclQueue({ locks: operatorLocks(connection) }, act)
  } catch (error) {
    if (error instanceof Refused && error.refusal.code === 'SERVICE_UNAVAILABLE')
      throw new Error('Somebody else is changing ACLs: try again', { cause: error })
    if (error instanceof Refused && error.refusal.code === 'ACCESS_DENIED')
      throw new Error('A bot holds no ACLs: name the account of a person', { cause: error })
    throw error
  }
}

function lineOf({ id, username, discriminator, acls }: AccountRecord): string {
  return `${id}  ${username}#${String(discriminator).padStart(4, '0')}  ${acls.join(' ')}`
}
