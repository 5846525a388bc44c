import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { privateUserObject, type PrivateUserObject } from '../../wire-objects/identity/user-objects.ts'
import type { Ports } from '../../ports.ts'

/** The caller's account after the command. Refuses with UNAUTHORIZED if it is gone. */
export async function renewedUser(
  { queries, readModels }: Pick<Ports, 'queries' | 'readModels'>,
  { account, context }: Caller,
): Promise<PrivateUserObject> {
  await readModels.reached(context.written)
  const renewed = await queries.accounts.find(account.id)
  return renewed ? privateUserObject(renewed, context.now) : reject('UNAUTHORIZED')
}
