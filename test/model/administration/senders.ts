import type { AdminAcl } from '../../../domain/admin/acls.ts'
import { asBot, newApplication } from '../../operations/support/applications.ts'
import { asBearer, newClient, tokensFor } from '../../operations/support/oauth2.ts'
import { adminKeyOf, administrator } from '../../support/administrators.ts'
import type { TestAccount, TestGuildhall } from '../../support/test-guildhall.ts'
import type { Actor } from './play.ts'
import type { Sender } from './step.ts'

/** Everybody who sends requests about accounts. Each set of ACLs has an administrator, who is registered when it is first asked for. */
export async function sendersOn(guildhall: TestGuildhall) {
  const root = await administrator(guildhall, '*')
  const plain = await guildhall.register()
  const bot = await newApplication(guildhall, plain)
  const tokens = await tokensFor(guildhall, root, await newClient(guildhall, plain))
  const others: Readonly<Record<Exclude<Sender['kind'], 'admin' | 'key'>, Actor>> = {
    root: { credential: 'session', id: root.id, authorization: root.token, acls: ['*'] },
    'plain account': { credential: 'plain account', id: plain.id, authorization: plain.token, acls: [] },
    bot: { credential: 'bot', id: bot.id, authorization: asBot(bot), acls: [] },
    bearer: { credential: 'bearer', id: root.id, authorization: asBearer(tokens), acls: [] },
    none: { credential: 'none', id: '', authorization: undefined, acls: [] },
  }
  const made = new Map<string, Promise<Actor>>()
  const ids = new Set([root.id])

  return {
    root: others.root,
    /** The ids of all administrators: their entries in the audit log are this test's. */
    ids,
    /** The sender of a request to an operation that needs one of these ACLs. */
    of(sender: Sender, needed: readonly string[]): Promise<Actor> {
      if (sender.kind !== 'admin' && sender.kind !== 'key') return Promise.resolve(others[sender.kind])
      const { kind, holds, more } = sender
      const acls = [...new Set([...(holds ? needed.slice(-1) : []), ...more.filter((acl) => !needed.includes(acl))])]
      const key = `${kind} ${acls.toSorted().join(' ')}`
      const known = made.get(key) ?? (kind === 'key' ? keyOf(guildhall, root, acls) : sessionOf(guildhall, ids, acls))
      made.set(key, known)
      return known
    },
  }
}

export type Senders = Awaited<ReturnType<typeof sendersOn>>

async function keyOf(guildhall: TestGuildhall, root: TestAccount, acls: readonly string[]): Promise<Actor> {
  const authorization = await adminKeyOf(guildhall, root, ...(acls as readonly AdminAcl[]))
  return { credential: 'key', id: root.id, authorization, acls }
}

async function sessionOf(guildhall: TestGuildhall, ids: Set<string>, acls: readonly string[]): Promise<Actor> {
  const { id, token } = await administrator(guildhall, 'admin:authenticate', ...(acls as readonly AdminAcl[]))
  ids.add(id)
  return { credential: 'session', id, authorization: token, acls: ['admin:authenticate', ...acls] }
}
