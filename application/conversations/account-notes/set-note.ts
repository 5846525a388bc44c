import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'

/**
 * Notes something about an account, bots and the caller itself included, or removes the note with null. Refuses with 404
 * UNKNOWN_USER for an account that does not exist or is erased (rules/users#notes).
 */
export function setNote({ accountNotes, queries }: Pick<Ports, 'accountNotes' | 'queries'>) {
  return async ({ account }: Caller, about: AccountId, note: string | null): Promise<void> => {
    const found = await queries.accounts.find(about)
    if (!found || found.isErased) reject('UNKNOWN_USER')
    await accountNotes.set(account.id, about, note)
  }
}
