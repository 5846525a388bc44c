import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'

/** The caller's notes, by the ids of the accounts that they are about. */
export function listNotes({ accountNotes }: Pick<Ports, 'accountNotes'>) {
  return async ({ account }: Caller): Promise<Readonly<Record<string, string>>> =>
    Object.fromEntries(await accountNotes.of(account.id))
}

/** The caller's note about an account. Refuses with 404 UNKNOWN_USER where there is none. */
export function getNote({ accountNotes }: Pick<Ports, 'accountNotes'>) {
  return async ({ account }: Caller, about: AccountId): Promise<string> =>
    (await accountNotes.find(account.id, about)) ?? reject('UNKNOWN_USER')
}
