import type { Account } from '../../../domain/account/state.ts'
import { bestEffort } from '../../commands/best-effort.ts'
import { contextOfPart, contextWith } from '../../commands/following-context.ts'
import type { Requester } from '../../caller.ts'
import type { Asker } from '../../ports/asker.ts'
import type { Ports } from '../../ports.ts'

export type PasswordNeeds = Pick<Ports, 'aggregates' | 'deferred' | 'passwords'>

/**
 * Whether a password is an account's; undefined stands for nobody's account, whose check takes as long. A hash of the typed text,
 * from before passwords were prepared, is renewed. If that fails, the password is right all the same: the next time renews it.
 */
export async function isPasswordOf(
  ports: PasswordNeeds,
  account: Pick<Account, 'id' | 'passwordHash'> | undefined,
  password: string,
  requester: Requester & Asker,
): Promise<boolean> {
  const from = account?.passwordHash ?? null
  const verdict = await ports.passwords.verify(password, from, requester)
  if (verdict === 'right as typed' && account && from !== null) {
    await bestEffort(ports, () => renewHash(ports, { id: account.id, from }, password, requester))
  }
  return verdict !== 'wrong'
}

async function renewHash(
  { aggregates, passwords }: PasswordNeeds,
  { id, from }: { readonly id: Account['id']; readonly from: string },
  password: string,
  requester: Requester & Asker,
): Promise<void> {
  const passwordHash = await passwords.hash(password, requester)
  const part = contextOfPart(requester.context, 'renewed password hash')
  // What was asked for is another thing: neither its reason nor an administrator's action is about the hash.
  const context = contextWith(part, { actor: { kind: 'account', id }, adminAction: undefined, reason: undefined })
  await aggregates.account.execute(id, { type: 'RenewPasswordHash', from, passwordHash }, context)
}
